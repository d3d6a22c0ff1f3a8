import { DnsFault, quoteInput } from '../faults.ts'
import { parseTtl } from '../ttl.ts'
import type { Field } from './field.ts'

/** A whole number of one byte. */
export function u8(what: string): Field {
  return {
    parse: (words, out) => out.u8(wholeNumber(words.plain(), what, 0xff)),
    print: (wire) => String(wire.u8()),
    skip: (wire) => wire.skip(1),
  }
}

/** A whole number of two bytes. */
export function u16(what: string): Field {
  return {
    parse: (words, out) => out.u16(wholeNumber(words.plain(), what, 0xffff)),
    print: (wire) => String(wire.u16()),
    skip: (wire) => wire.skip(2),
  }
}

/** A whole number of four bytes. */
export function u32(what: string): Field {
  return {
    parse: (words, out) => out.u32(wholeNumber(words.plain(), what, 0xffffffff)),
    print: (wire) => String(wire.u32()),
    skip: (wire) => wire.skip(4),
  }
}

/** A whole number of eight bytes. */
export function u64(what: string): Field {
  return {
    parse: (words, out) => {
      const text = words.plain()
      const value = /^\d{1,20}$/.test(text) ? BigInt(text) : most64 + 1n
      if (value > most64)
        throw new DnsFault('bad_rdata', `the ${what} ${quoteInput(text)} is not a number from 0 to ${most64}`)
      out.u32(Number(value >> 32n))
      out.u32(Number(value & 0xffffffffn))
    },
    print: (wire) => String((BigInt(wire.u32()) << 32n) | BigInt(wire.u32())),
    skip: (wire) => wire.skip(8),
  }
}

const most64 = 0xffff_ffff_ffff_ffffn

/** Seconds of four bytes, which may also be written as `1h30m`. */
export function seconds(what: string): Field {
  return {
    parse: (words, out) => {
      const text = words.plain()
      const value = parseTtl(text)
      if (value === undefined)
        throw new DnsFault('bad_rdata', `the ${what} ${quoteInput(text)} is not a number of seconds`)
      out.u32(value)
    },
    print: (wire) => String(wire.u32()),
    skip: (wire) => wire.skip(4),
  }
}

/** Reads a decimal number up to `highest`. */
export function wholeNumber(text: string, what: string, highest: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (value <= highest) return value
  throw new DnsFault('bad_rdata', `the ${what} ${quoteInput(text)} is not a number from 0 to ${highest}`)
}
