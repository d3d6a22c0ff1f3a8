import { DnsFault, quoteInput } from '../faults.ts'
import { parseType, toType, typeToText } from '../type.ts'
import type { Field } from './field.ts'

/** The types at a name as a bitmap up to the end of the data: 1 to 127, without trailing zeros (RFC 2535 §5.2). */
export function oldTypeBitmap(): Field {
  return {
    parse: (words, out) => {
      const bitmap = new Uint8Array(16)
      let highest = -1
      while (words.left > 0) {
        const text = words.plain()
        const type = parseType(text)
        if (type > 127) throw new DnsFault('bad_rdata', `the type ${quoteInput(text)} is above 127`)
        bitmap[type >> 3] = (bitmap[type >> 3] ?? 0) | (0x80 >> (type & 7))
        highest = Math.max(highest, type)
      }
      out.bytes(bitmap.subarray(0, (highest >> 3) + 1))
    },
    print: (wire) => {
      const bitmap = wire.bytes(wire.left)
      // Bit 0 means that this is not a bitmap.
      if (bitmap.length > 16 || bitmap.at(-1) === 0 || ((bitmap[0] ?? 0) & 0x80) !== 0) return undefined
      const types: string[] = []
      for (const [index, byte] of bitmap.entries())
        for (let bit = 0; bit < 8; bit++)
          if ((byte & (0x80 >> bit)) !== 0) types.push(typeToText(toType(index * 8 + bit)))
      return types.join(' ')
    },
    skip: (wire) => wire.skip(wire.left),
  }
}
