import { toBase32Hex } from '../base32hex.ts'
import { type DomainName, rootName } from '../name.ts'
import { nameToWire } from '../name-wire.ts'

/** SHA-1, which the caller passes in, because this package contains no cryptography. */
export type Sha1 = (data: Uint8Array) => Uint8Array

/** How the names of a zone are hashed (RFC 5155 §3.1 and §4.1). */
export interface Nsec3Parameters {
  /** 1 is SHA-1. No other hash is defined. */
  readonly algorithm: number
  readonly flags: number
  /** How many additional times the hash is hashed. */
  readonly iterations: number
  /** At most 255 bytes. */
  readonly salt: Uint8Array
}

/** The hash of a name, 20 bytes: SHA-1 of the name in wire form and the salt, then of each hash and the salt again (RFC 5155 §5). */
export function nsec3Hash(
  name: DomainName,
  { iterations, salt }: Pick<Nsec3Parameters, 'iterations' | 'salt'>,
  sha1: Sha1,
): Uint8Array {
  let hash = sha1(salted(nameToWire(name), salt))
  for (let again = 0; again < iterations; again++) hash = sha1(salted(hash, salt))
  return hash
}

/** The owner name of an NSEC3 record: the hash in base 32, below the zone's name (RFC 5155 §3). */
export function nsec3Owner(hash: Uint8Array, zone: DomainName): DomainName {
  const label = toBase32Hex(hash)
  return (zone === rootName ? `${label}.` : `${label}.${zone}`) as DomainName
}

function salted(bytes: Uint8Array, salt: Uint8Array): Uint8Array {
  if (salt.length === 0) return bytes
  const joined = new Uint8Array(bytes.length + salt.length)
  joined.set(bytes)
  joined.set(salt, bytes.length)
  return joined
}
