export { dnssecCrypto } from './dnssec-crypto.ts'
export { newPrivateKey, type SigningKey, signingKey } from './signing-key.ts'
