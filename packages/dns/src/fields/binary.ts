import { fromBase64, toBase64 } from '../base64.ts'
import { DnsFault, quoteInput } from '../faults.ts'
import { fromHex, toHex } from '../hex.ts'
import type { Field } from './field.ts'

/** Hexadecimal up to the end of the data; white space is allowed anywhere. At least one byte. */
export function remainingHex(what: string): Field {
  return {
    parse: (words, out) => {
      const text = words.glued()
      const bytes = fromHex(text)
      if (bytes === undefined || bytes.length === 0) {
        throw new DnsFault('bad_rdata', `the ${what} ${quoteInput(text)} is not hexadecimal with two digits a byte`)
      }
      out.bytes(bytes)
    },
    print: (wire) => toHex(wire.bytes(wire.left)) || undefined,
    skip: (wire) => wire.skip(wire.left),
  }
}

/** Base 64 up to the end of the data; white space is allowed anywhere. Empty data is written as nothing. */
export function optionalBase64(what: string): Field {
  const some = remainingBase64(what)
  return {
    ...some,
    parse: (words, out) => {
      if (words.left > 0) some.parse(words, out)
    },
    print: (wire) => (wire.left === 0 ? '' : some.print(wire)),
  }
}

/** The same, but empty data is written as `-`. */
export function dashedBase64(what: string): Field {
  const some = remainingBase64(what)
  return {
    ...some,
    parse: (words, out) => {
      if (words.left === 1 && words.peek() === '-') words.plain()
      else some.parse(words, out)
    },
    print: (wire) => (wire.left === 0 ? '-' : some.print(wire)),
  }
}

/** Base 64 up to the end of the data; white space is allowed anywhere. At least one byte. */
export function remainingBase64(what: string): Field {
  return {
    parse: (words, out) => {
      const text = words.glued()
      const bytes = fromBase64(text)
      if (bytes === undefined || bytes.length === 0) {
        throw new DnsFault('bad_rdata', `the ${what} ${quoteInput(text)} is not padded base 64`)
      }
      out.bytes(bytes)
    },
    print: (wire) => toBase64(wire.bytes(wire.left)) || undefined,
    skip: (wire) => wire.skip(wire.left),
  }
}
