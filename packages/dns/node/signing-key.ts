import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { dnskeyToRdata, KeyAlgorithm, KeyFlag, type RecordData } from '../src/index.ts'
import { keyForms } from './dnssec-crypto.ts'

/** A private key of a zone, with the data of its DNSKEY record. */
export interface SigningKey {
  readonly dnskey: RecordData
  /** A signature in the form of RRSIG records. */
  readonly sign: (message: Uint8Array) => Uint8Array
}

/** A new private key for ECDSA P-256 with SHA-256 (algorithm 13), which every validator knows. */
export function newPrivateKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
}

/**
 * A private key that signs a whole zone: its DNSKEY has the flags 257.
 *
 * @throws RangeError if the key is not a key of the algorithm
 */
export function signingKey(privateKey: KeyObject, algorithm: number = KeyAlgorithm.ECDSAP256SHA256): SigningKey {
  const form = keyForms.get(algorithm)
  const publicKey = form?.publicKey(createPublicKey(privateKey).export({ format: 'jwk' }))
  if (form?.jwk(publicKey ?? Buffer.of()) === undefined || publicKey === undefined)
    throw new RangeError(`The key is not one of algorithm ${algorithm}.`)
  const flags = KeyFlag.ZONE | KeyFlag.SECURE_ENTRY_POINT
  return {
    dnskey: dnskeyToRdata({ flags, protocol: 3, algorithm, publicKey }),
    sign: (message) => sign(form.hash, message, { key: privateKey, dsaEncoding: 'ieee-p1363' }),
  }
}
