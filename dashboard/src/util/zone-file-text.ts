import { foreignBytes } from '@zonewright/dns'
import { decodedText } from './decoded-text.ts'

/** The text of a selected file, or the error. Windows writes UTF-16, which is read if it begins with a byte order mark. The mark is removed. */
export function zoneFileText(bytes: ArrayBuffer): { readonly text: string } | { readonly fault: string } {
  const fault = foreignBytes(new Uint8Array(bytes))
  if (fault !== undefined) return { fault }
  const text = decodedText(bytes, encodingOf(bytes))
  return text === undefined ? { fault: 'It is not UTF-8. Save it as UTF-8, and choose it again.' } : { text }
}

/** The encoding from the byte order mark of a file; UTF-8 if there is none. */
function encodingOf(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes)
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}
