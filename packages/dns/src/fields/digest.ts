import { DnsFault } from '../faults.ts'
import { remainingHex } from './binary.ts'
import type { Field } from './field.ts'
import { wholeNumber } from './number.ts'

/**
 * How a digest was made, as a number of one byte, and the digest in hexadecimal up to the end of the data.
 *
 * Where `lengths` knows how many bytes such a digest has, no other length may be written: other servers would refuse the
 * whole zone for it.
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

/** SHA-1, SHA-256 and SHA-384 of a DS (RFC 4034 §A.2, RFC 4509, RFC 6605). */
export const dsDigestBytes: ReadonlyMap<number, number> = new Map([
  [1, 20],
  [2, 32],
  [4, 48],
])
