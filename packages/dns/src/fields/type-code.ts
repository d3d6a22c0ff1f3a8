import { parseType, toType, typeToText } from '../type.ts'
import type { Field } from './field.ts'

/** The number of a record type, written as its mnemonic. */
export function typeCode(): Field {
  return {
    parse: (words, out) => out.u16(parseType(words.plain())),
    print: (wire) => typeToText(toType(wire.u16())),
    skip: (wire) => wire.skip(2),
  }
}
