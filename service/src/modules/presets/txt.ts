import { parseRdata, RrType, rdataToText } from '@zonewright/dns'

/** The text of a TXT record in its canonical form, its strings joined; one character per byte. */
export function textOfTxt(record: string): string {
  const strings = [...record.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, inner]) => inner ?? '')
  return strings
    .join('')
    .replaceAll(/\\(\d{3}|.)/g, (_, escaped: string) =>
      escaped.length === 3 ? String.fromCharCode(Number(escaped)) : escaped,
    )
}

/** The reverse: one string in quotes, whose text cannot end them. */
export function quoteTxt(bytes: string): string {
  const escaped = bytes.replaceAll(/["\\]|[^ -~]/g, (char) =>
    char === '"' || char === '\\' ? `\\${char}` : `\\${String(char.charCodeAt(0)).padStart(3, '0')}`,
  )
  return `"${escaped}"`
}

/** The record data in its one canonical form: split into strings of up to 255 bytes. */
export function canonicalTxt(bytes: string): string {
  return rdataToText(RrType.TXT, parseRdata(RrType.TXT, quoteTxt(bytes)))
}

/** Converts a text to the form of `textOfTxt`: one character per byte of its UTF-8. */
export function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}
