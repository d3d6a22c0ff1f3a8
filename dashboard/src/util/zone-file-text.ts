import { foreignBytes } from '@zonewright/dns'
import { utf8Text } from './utf8-text.ts'

/**
 * The text of a file that a person chose, or what is wrong with it. Windows writes UTF-16, which is read if it begins with a byte order
 * mark. The mark is left out.
 */
export function zoneFileText(bytes: ArrayBuffer): { readonly text: string } | { readonly fault: string } {
  const fault = foreignBytes(new Uint8Array(bytes))
  if (fault !== undefined) return { fault }
  const text = utf16Text(bytes) ?? utf8Text(bytes)
  return text === undefined ? { fault: 'It is not UTF-8. Save it as UTF-8, and choose it again.' } : { text }
}

/** The text of a file that begins with the mark of UTF-16; undefined when it does not, or is none. */
function utf16Text(bytes: ArrayBuffer): string | undefined {
  const [first, second] = new Uint8Array(bytes)
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : undefined
  if (encoding === undefined) return undefined
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
