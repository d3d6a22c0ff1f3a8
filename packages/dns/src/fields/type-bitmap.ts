import { readTypeBitmap, typeBitmap } from '../dnssec/type-bitmap.ts'
import { parseType, type RrType, typeToText } from '../type.ts'
import type { Field } from './field.ts'

/**
 * The types that exist at a name, up to the end of the data (RFC 4034 §4.1.2); printed in the order of their numbers. Every
 * window must have a type, and no zeros after its last type.
 */
export function typesAtName(): Field {
  return {
    parse: (words, out) => {
      const types: RrType[] = []
      while (words.left > 0) types.push(parseType(words.plain()))
      out.bytes(typeBitmap(types))
    },
    print: (wire) => {
      const types = readTypeBitmap(wire)
      // The lowest bit has no type.
      return types[0] === 0 ? undefined : types.map(typeToText).join(' ')
    },
    skip: (wire) => {
      readTypeBitmap(wire)
    },
  }
}
