import type { Sha1 } from './nsec3-hash.ts'

/** Algorithms of keys and signatures (IANA "DNS Security Algorithm Numbers"): those that validators must support (RFC 8624 §3.1). */
export const KeyAlgorithm = {
  RSASHA256: 8,
  RSASHA512: 10,
  ECDSAP256SHA256: 13,
  ECDSAP384SHA384: 14,
  ED25519: 15,
  ED448: 16,
} as const

/** The hashes of DNSSEC, which the caller passes in, because this package contains no cryptography. */
export interface DnssecHashes {
  readonly sha1: Sha1
  readonly sha256: (data: Uint8Array) => Uint8Array
  readonly sha384: (data: Uint8Array) => Uint8Array
}

/** The hashes, and the verification of signatures. */
export interface DnssecCrypto extends DnssecHashes {
  /** The algorithms that `verify` supports. A zone that is signed only with others is insecure (RFC 4035 §5.2). */
  readonly algorithms: ReadonlySet<number>
  /**
   * Whether `signature` is a signature of `message` by the key. Both are in the form of RRSIG and DNSKEY records. False for keys and signatures
   * that are not valid for the algorithm.
   */
  readonly verify: (algorithm: number, publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean
}
