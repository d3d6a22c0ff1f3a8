import { fromBase32Hex, toBase32Hex } from '../base32hex.ts'
import { DnsFault, quoteInput } from '../faults.ts'
import { fromHex, toHex } from '../hex.ts'
import type { Field } from './field.ts'

/** The salt of NSEC3 in hexadecimal with a length byte; `-` means none (RFC 5155 §3.3). */
export function salt(): Field {
  return {
    parse: (words, out) => {
      const text = words.plain()
      const bytes = text === '-' ? new Uint8Array(0) : fromHex(text)
      if (bytes === undefined || bytes.length > 255 || text === '') {
        throw new DnsFault('bad_rdata', `the salt ${quoteInput(text)} is neither \`-\` nor hexadecimal`)
      }
      out.u8(bytes.length)
      out.bytes(bytes)
    },
    print: (wire) => toHex(wire.bytes(wire.u8())) || '-',
    skip: (wire) => wire.skip(wire.u8()),
  }
}

/** The hash of an owner name in base 32 with a length byte (RFC 5155 §3.3). */
export function hashedName(): Field {
  return {
    parse: (words, out) => {
      const text = words.plain()
      const bytes = fromBase32Hex(text)
      if (bytes === undefined || bytes.length === 0 || bytes.length > 255) {
        throw new DnsFault('bad_rdata', `the hashed name ${quoteInput(text)} is not base 32`)
      }
      out.u8(bytes.length)
      out.bytes(bytes)
    },
    print: (wire) => toBase32Hex(wire.bytes(wire.u8())),
    skip: (wire) => {
      const length = wire.u8()
      if (length === 0) throw new DnsFault(wire.code, 'The hashed name of NSEC3 is empty.')
      wire.skip(length)
    },
  }
}
