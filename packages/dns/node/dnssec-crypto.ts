import { createHash, createPublicKey, type KeyObject, verify, type webcrypto } from 'node:crypto'
import { type DnssecCrypto, KeyAlgorithm } from '../src/index.ts'

type JsonWebKey = webcrypto.JsonWebKey

/** DNSSEC cryptography with Node: all algorithms that validators must support (RFC 8624 §3.1). */
export const dnssecCrypto: DnssecCrypto = {
  sha1: (data) => createHash('sha1').update(data).digest(),
  sha256: (data) => createHash('sha256').update(data).digest(),
  sha384: (data) => createHash('sha384').update(data).digest(),
  algorithms: new Set(Object.values(KeyAlgorithm)),
  verify: (algorithm, publicKey, message, signature) => {
    const form = keyForms.get(algorithm)
    const key = form && keyOf(form.jwk(Buffer.from(publicKey)))
    if (form === undefined || key === undefined) return false
    return verify(form.hash, message, { key, dsaEncoding: 'ieee-p1363' }, signature)
  },
}

/** How Node signs with an algorithm. `hash` is null if the algorithm includes its own hash. */
export interface KeyForm {
  readonly hash: string | null
  /** The public key of a DNSKEY record as a JSON web key; undefined if it is not a key. */
  readonly jwk: (publicKey: Buffer) => JsonWebKey | undefined
  /** The public key of a JSON web key in the form of a DNSKEY record. */
  readonly publicKey: (jwk: JsonWebKey) => Buffer
}

const bytesOf = (text: string | undefined): Buffer => Buffer.from(text ?? '', 'base64url')

/** RFC 3110 §2: the length of the exponent, the exponent and the modulus. */
function rsa(hash: string): KeyForm {
  return {
    hash,
    jwk: (publicKey) => {
      const isLong = publicKey[0] === 0
      const [at, size] = isLong && publicKey.length > 2 ? [3, publicKey.readUInt16BE(1)] : [1, publicKey[0] ?? 0]
      const [exponent, modulus] = [publicKey.subarray(at, at + size), publicKey.subarray(at + size)]
      // Larger exponents make verifying slow, and no one uses them.
      if (exponent.length === 0 || exponent.length > 5 || modulus.length < 64 || modulus.length > 512) return undefined
      return { kty: 'RSA', e: exponent.toString('base64url'), n: modulus.toString('base64url') }
    },
    publicKey: ({ e, n }) => Buffer.concat([Buffer.of(bytesOf(e).length), bytesOf(e), bytesOf(n)]),
  }
}

/** RFC 6605 §4: the two coordinates of the point. */
function ecdsa(hash: string, crv: string, size: number): KeyForm {
  return {
    hash,
    jwk: (publicKey) => {
      if (publicKey.length !== 2 * size) return undefined
      const [x, y] = [publicKey.subarray(0, size), publicKey.subarray(size)].map((half) => half.toString('base64url'))
      return { kty: 'EC', crv, x, y } as JsonWebKey
    },
    publicKey: ({ x, y }) => Buffer.concat([bytesOf(x), bytesOf(y)]),
  }
}

/** RFC 8080 §3. */
function eddsa(crv: string, size: number): KeyForm {
  return {
    hash: null,
    jwk: (publicKey) =>
      publicKey.length === size ? { kty: 'OKP', crv, x: publicKey.toString('base64url') } : undefined,
    publicKey: ({ x }) => bytesOf(x),
  }
}

export const keyForms: ReadonlyMap<number, KeyForm> = new Map([
  [KeyAlgorithm.RSASHA256, rsa('sha256')],
  [KeyAlgorithm.RSASHA512, rsa('sha512')],
  [KeyAlgorithm.ECDSAP256SHA256, ecdsa('sha256', 'P-256', 32)],
  [KeyAlgorithm.ECDSAP384SHA384, ecdsa('sha384', 'P-384', 48)],
  [KeyAlgorithm.ED25519, eddsa('Ed25519', 32)],
  [KeyAlgorithm.ED448, eddsa('Ed448', 57)],
])

/** Undefined if it is not a key, such as a point that is not on its curve. */
function keyOf(jwk: JsonWebKey | undefined): KeyObject | undefined {
  try {
    return jwk && createPublicKey({ key: jwk, format: 'jwk' })
  } catch {
    return undefined
  }
}
