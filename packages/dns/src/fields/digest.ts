import { DnsFault } from '../faults.ts'
import { remainingHex } from './binary.ts'
import type { Field } from './field.ts'
import { wholeNumber } from './number.ts'

/**
 * The type of a digest as a number of one byte, and the digest in hexadecimal up to the end of the data.
 *
 * If `lengths` has the length of a digest type, a new value must have this length, because other servers would refuse the whole zone.
 */
export function typedDigest(how: string, digest: string, lengths: ReadonlyMap<number, number>): Field {
  const hex = remainingHex(digest)
  return {
    parse: (words, out) => {
      const kind = wholeNumber(words.plain(), how, 0xff)
      out.u8(kind)
      const from = out.length
      hex.parse(words, out)
      const [length, expected] = [out.length - from, lengths.get(kind)]
      if (expected !== undefined && length !== expected) {
        throw new DnsFault('bad_rdata', `with ${how} ${kind} the ${digest} has ${expected} bytes and not ${length}`)
      }
    },
    print: (wire) => {
      const kind = wire.u8()
      const printed = hex.print(wire)
      return printed === undefined ? undefined : `${kind} ${printed}`
    },
    skip: (wire) => {
      wire.skip(1)
      hex.skip(wire)
    },
  }
}

/** Why a new DS record is refused: its digest type, or the length of a rarely used digest; undefined if it is fine. */
export function dsFault(data: Uint8Array): string | undefined {
  const kind = data[3] ?? 0
  const expected = assignedDigestBytes.get(kind)
  if (expected === undefined)
    return isPrivateDigest(kind) ? undefined : `the digest type ${kind} is not assigned (1, 2 and 4 are in use)`
  const length = data.length - 4
  return length === expected ? undefined : `with digest type ${kind} the digest has ${expected} bytes and not ${length}`
}

/** The same for CDS, which may also request the deletion of the DS with `0 0 0 00` (RFC 8078 §4). */
export function cdsFault(data: Uint8Array): string | undefined {
  return data.length === 5 && data.every((byte) => byte === 0) ? undefined : dsFault(data)
}

/** Types for private use (IANA "DS RR Type Digest Algorithms"). */
function isPrivateDigest(kind: number): boolean {
  return kind === 253 || kind === 254
}

/** SHA-1, SHA-256 and SHA-384 of a DS (RFC 4034 §A.2, RFC 4509, RFC 6605). */
export const dsDigestBytes: ReadonlyMap<number, number> = new Map([
  [1, 20],
  [2, 32],
  [4, 48],
])

/** All assigned types: also GOST R 34.11-94 (RFC 5933), GOST R 34.11-2012 (RFC 9558) and SM3 (RFC 9563). */
const assignedDigestBytes: ReadonlyMap<number, number> = new Map([...dsDigestBytes, [3, 32], [5, 32], [6, 32]])
