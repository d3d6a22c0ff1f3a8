import { parseType, toType, typeToText } from '../type.ts'
import type { Field } from './field.ts'

/** The number of a record type, written as its mnemonic. 0 has no mnemonic. */
export function typeCode(): Field {
  return {
    parse: (words, out) => out.u16(parseType(words.plain())),
    print: (wire) => {
      const code = wire.u16()
      return code === 0 ? undefined : typeToText(toType(code))
    },
    skip: (wire) => wire.skip(2),
  }
}
