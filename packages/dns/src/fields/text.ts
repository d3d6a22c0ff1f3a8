import { maxStringBytes, quoteBytes, unescapeBytes } from '../character-string.ts'
import { DnsFault, quoteInput } from '../faults.ts'
import type { WireReader } from '../wire-reader.ts'
import type { WireWriter } from '../wire-writer.ts'
import type { Words } from '../words.ts'
import { hasBareQuote } from '../zone-lexer.ts'
import type { Field } from './field.ts'

/** One character-string of up to 255 bytes (RFC 1035 §3.3), always printed in quotes. `check` throws if it is not valid. */
export function characterString(what: string, check?: (bytes: Uint8Array) => void): Field {
  return {
    parse: (words, out) => {
      const bytes = textBytes(words)
      if (bytes.length > maxStringBytes) throw new DnsFault('bad_rdata', `the ${what} is longer than 255 bytes`)
      check?.(bytes)
      putString(bytes, out)
    },
    print: (wire) => quoteBytes(wire.bytes(wire.u8())),
    skip: skipString,
  }
}

/** An optional character-string at the end of the data. */
export function optionalString(what: string): Field {
  const string = characterString(what)
  return {
    parse: (words, out) => {
      if (words.left > 0) string.parse(words, out)
    },
    print: (wire) => (wire.left === 0 ? '' : string.print(wire)),
    skip: (wire) => {
      if (wire.left > 0) skipString(wire)
    },
  }
}

/** One or more character-strings up to the end of the data. A word of more than 255 bytes is split at 255; existing boundaries are kept. */
export function characterStrings(): Field {
  return {
    parse: (words, out) => {
      do {
        const bytes = textBytes(words)
        for (let at = 0; at === 0 || at < bytes.length; at += maxStringBytes) {
          putString(bytes.subarray(at, at + maxStringBytes), out)
        }
      } while (words.left > 0)
    },
    print: (wire) => {
      const strings: string[] = []
      do strings.push(quoteBytes(wire.bytes(wire.u8())))
      while (wire.left > 0)
      return strings.join(' ')
    },
    skip: (wire) => {
      do skipString(wire)
      while (wire.left > 0)
    },
  }
}

/** Text of at least `leastBytes` without a length byte, up to the end of the data, printed in quotes. */
export function remainingText(what: string, leastBytes = 0): Field {
  return {
    parse: (words, out) => {
      const bytes = textBytes(words)
      if (bytes.length < leastBytes) throw new DnsFault('bad_rdata', `the ${what} is empty`)
      out.bytes(bytes)
    },
    print: (wire) => (wire.left < leastBytes ? undefined : quoteBytes(wire.bytes(wire.left))),
    skip: (wire) => wire.skip(wire.left),
  }
}

/** A word of letters and digits with a length byte, lower-cased: the tag of CAA (RFC 8659 §4.1). */
export function tag(): Field {
  return {
    parse: (words, out) => {
      const text = words.plain()
      if (!/^[A-Za-z0-9]{1,255}$/.test(text)) {
        throw new DnsFault('bad_rdata', `the tag ${quoteInput(text)} is not made of letters and digits`)
      }
      putString(unescapeBytes(text.toLowerCase()), out)
    },
    print: (wire) => {
      const text = String.fromCharCode(...wire.bytes(wire.u8()))
      if (!/^[A-Za-z0-9]+$/.test(text))
        throw new DnsFault(wire.code, 'The tag of CAA is not made of letters and digits.')
      return text.toLowerCase()
    },
    skip: (wire) => {
      const bytes = wire.bytes(wire.u8())
      const isTag = bytes.length > 0 && bytes.every((byte) => /[A-Za-z0-9]/.test(String.fromCharCode(byte)))
      if (!isTag) throw new DnsFault(wire.code, 'The tag of CAA is not made of letters and digits.')
    },
  }
}

function textBytes(words: Words): Uint8Array {
  const token = words.next()
  if (!token.quoted && hasBareQuote(token.text)) {
    throw new DnsFault('bad_rdata', `put ${quoteInput(token.text)} in quotes as a whole, with \\" for a quotation mark`)
  }
  return unescapeBytes(token.text)
}

function putString(bytes: Uint8Array, out: WireWriter): void {
  out.u8(bytes.length)
  out.bytes(bytes)
}

function skipString(wire: WireReader): void {
  wire.skip(wire.u8())
}
