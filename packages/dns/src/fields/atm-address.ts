import { DnsFault, quoteInput } from '../faults.ts'
import { fromHex, toHex } from '../hex.ts'
import type { Field } from './field.ts'

/** A format and an address up to the end of the data: `+61200000000` (E.164), or hexadecimal with dots anywhere (AESA). */
export function atmAddress(): Field {
  return {
    parse: (words, out) => {
      const text = words.plain()
      const number = /^\+(\d+)$/.exec(text)?.[1]
      const bytes =
        number === undefined
          ? fromHex(text.replaceAll('.', ''))
          : Uint8Array.from(Array.from(number, (digit) => digit.charCodeAt(0)))
      if (bytes === undefined || bytes.length === 0)
        throw new DnsFault('bad_rdata', `${quoteInput(text)} is neither \`+\` and digits nor hexadecimal`)
      out.u8(number === undefined ? Format.aesa : Format.e164)
      out.bytes(bytes)
    },
    print: (wire) => {
      const format = wire.u8()
      const bytes = wire.bytes(wire.left)
      if (bytes.length === 0) return undefined
      if (format === Format.aesa) return toHex(bytes)
      const number = String.fromCharCode(...bytes)
      return format === Format.e164 && /^\d+$/.test(number) ? `+${number}` : undefined
    },
    skip: (wire) => {
      wire.skip(1)
      wire.skip(wire.left)
    },
  }
}

const Format = { aesa: 0, e164: 1 } as const
