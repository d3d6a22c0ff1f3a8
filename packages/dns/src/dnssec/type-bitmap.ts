import { DnsFault } from '../faults.ts'
import { type RrType, toType } from '../type.ts'
import type { WireReader } from '../wire-reader.ts'
import { WireWriter } from '../wire-writer.ts'

/** The bitmap of these types, in any order (RFC 4034 §4.1.2). Windows without a type, and zeros after the last type, are left out. */
export function typeBitmap(types: Iterable<RrType>): Uint8Array {
  const windows = Map.groupBy(
    [...new Set(types)].sort((a, b) => a - b),
    (type) => type >> 8,
  )
  const out = new WireWriter(34)
  for (const [window, members] of windows) {
    const bitmap = new Uint8Array(((members.at(-1) ?? 0) & 0xff) / 8 + 1)
    for (const type of members) bitmap[(type & 0xff) >> 3] = (bitmap[(type & 0xff) >> 3] ?? 0) | (0x80 >> (type & 7))
    out.u8(window)
    out.u8(bitmap.length)
    out.bytes(bitmap)
  }
  return out.toBytes()
}

/**
 * The types of a bitmap that goes up to the reader's end, in the order of their numbers (RFC 4034 §4.1.2).
 *
 * @throws DnsFault of the reader's code, unless the windows ascend and each of them ends with a byte that is not zero
 */
export function readTypeBitmap(wire: WireReader): RrType[] {
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
