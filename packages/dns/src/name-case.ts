import { decimalEscape } from './escape.ts'
import type { DomainName } from './name.ts'
import { nameToWire } from './name-wire.ts'

const dot = 0x2e
const backslash = 0x5c

/** The wire form of a name with its letters in the case of `text`, from which `parseName` has read it. An origin that it added is in lower case. */
export function nameInCaseOf(text: string, name: DomainName): Uint8Array {
  const wire = nameToWire(name)
  // The byte before each label is its length.
  let at = 1
  for (let index = 0; index < text.length; index++, at++) {
    let byte = text.charCodeAt(index)
    if (byte === dot) continue
    if (byte === backslash) {
      const decimal = decimalEscape(text, index + 1)
      byte = decimal ?? text.charCodeAt(index + 1)
      index += decimal === undefined ? 1 : 3
    }
    if (byte >= 0x41 && byte <= 0x5a) wire[at] = byte
  }
  return wire
}
