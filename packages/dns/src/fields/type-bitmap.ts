import { DnsFault } from '../faults.ts'
import { parseType, type RrType, toType, typeToText } from '../type.ts'
import type { WireReader } from '../wire-reader.ts'
import type { Field } from './field.ts'

/**
 * The types that exist at a name, up to the end of the data (RFC 4034 §4.1.2); printed in the order of their numbers. Every
 * window must have a type, and no zeros behind its last one.
 */
export function typeBitmap(): Field {
  return {
    parse: (words, out) => {
      const types = new Set<RrType>()
      while (words.left > 0) types.add(parseType(words.plain()))
      const windows = Map.groupBy(
        [...types].sort((a, b) => a - b),
        (type) => type >> 8,
      )
      for (const [window, members] of windows) {
        const bitmap = new Uint8Array(((members.at(-1) ?? 0) & 0xff) / 8 + 1)
        for (const type of members)
          bitmap[(type & 0xff) >> 3] = (bitmap[(type & 0xff) >> 3] ?? 0) | (0x80 >> (type & 7))
        out.u8(window)
        out.u8(bitmap.length)
        out.bytes(bitmap)
      }
    },
    print: (wire) => {
      const types = readBitmap(wire)
      // The lowest bit has no type to its number.
      return types[0] === 0 ? undefined : types.map(typeToText).join(' ')
    },
    skip: (wire) => {
      readBitmap(wire)
    },
  }
}

function readBitmap(wire: WireReader): RrType[] {
  const types: RrType[] = []
  let lastWindow = -1
  while (wire.left > 0) {
    const window = wire.u8()
    const bitmap = wire.bytes(wire.u8())
    if (window <= lastWindow || bitmap.length > 32 || (bitmap.at(-1) ?? 0) === 0) {
      throw new DnsFault(wire.code, 'A type bitmap is malformed.')
    }
    lastWindow = window
    for (const [index, byte] of bitmap.entries()) {
      for (let bit = 0; bit < 8; bit++)
        if ((byte & (0x80 >> bit)) !== 0) types.push(toType(window * 256 + index * 8 + bit))
    }
  }
  return types
}
