import { DnsFault, quoteInput } from '../faults.ts'
import { fromHex, toHex } from '../hex.ts'
import type { Field } from './field.ts'

/** Hexadecimal after `0x`, up to the end of the data, with dots anywhere (RFC 1706 §7). At least one byte. */
export function nsapAddress(): Field {
  return {
    parse: (words, out) => {
      const text = words.plain()
      const bytes = /^0x/i.test(text) ? fromHex(text.slice(2).replaceAll('.', '')) : undefined
      if (bytes === undefined || bytes.length === 0)
        throw new DnsFault(
          'bad_rdata',
          `${quoteInput(text)} is not an address such as \`0x47000580005a0000000001e133ffffff00016100\``,
        )
      out.bytes(bytes)
    },
    print: (wire) => (wire.left === 0 ? undefined : `0x${toHex(wire.bytes(wire.left))}`),
    skip: (wire) => wire.skip(wire.left),
  }
}
