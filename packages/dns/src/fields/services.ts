import { DnsFault, quoteInput } from '../faults.ts'
import type { Field } from './field.ts'
import { wholeNumber } from './number.ts'

/** A protocol and its ports, `6 25 80`, on the wire a bitmap up to the end of the data (RFC 1035 §3.4.2). */
export function services(): Field {
  return {
    parse: (words, out) => {
      const protocol = words.plain()
      out.u8(protocols.get(protocol.toUpperCase()) ?? wholeNumber(protocol, 'protocol', 0xff))
      const bitmap = new Uint8Array(maxBitmapBytes)
      let highest = -1
      while (words.left > 0) {
        const port = wholeNumber(words.plain(), 'port', 0xffff)
        bitmap[port >> 3] = (bitmap[port >> 3] ?? 0) | (0x80 >> (port & 7))
        highest = Math.max(highest, port)
      }
      out.bytes(bitmap.subarray(0, (highest >> 3) + 1))
    },
    print: (wire) => {
      const words = [wire.u8()]
      const bitmap = wire.bytes(wire.left)
      if (bitmap.length > maxBitmapBytes || bitmap.at(-1) === 0) return undefined
      for (const [index, byte] of bitmap.entries())
        for (let bit = 0; bit < 8; bit++) if ((byte & (0x80 >> bit)) !== 0) words.push(index * 8 + bit)
      return words.join(' ')
    },
    skip: (wire) => {
      wire.skip(1)
      if (wire.left > maxBitmapBytes)
        throw new DnsFault(
          wire.code,
          `A bitmap of ${quoteInput(String(wire.left))} bytes is longer than the bitmap of all ports.`,
        )
      wire.skip(wire.left)
    },
  }
}

/** A bit for each port. */
const maxBitmapBytes = 8192

/** Names that are read but never printed: servers know different ones. */
const protocols: ReadonlyMap<string, number> = new Map([
  ['ICMP', 1],
  ['TCP', 6],
  ['UDP', 17],
])
