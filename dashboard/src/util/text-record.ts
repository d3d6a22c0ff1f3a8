/** The maximum number of bytes in one string of a TXT record (RFC 1035 §3.3). */
const maxStringBytes = 255

/** A text as TXT data: strings in quotes of at most 255 bytes each, with `\DDD` for everything except printable ASCII. */
export function quoteText(text: string): string {
  const bytes = new TextEncoder().encode(text)
  const strings: string[] = []
  for (let at = 0; at === 0 || at < bytes.length; at += maxStringBytes)
    strings.push(`"${[...bytes.subarray(at, at + maxStringBytes)].map(escapeByte).join('')}"`)
  return strings.join(' ')
}

/** The strings of a text that consists only of strings in quotes, as zone files and providers print TXT data. */
export function quotedStringsOf(text: string): string | undefined {
  if (!/^"(?:[^"\\]|\\.)*"(?:\s+"(?:[^"\\]|\\.)*")*$/s.test(text.trim())) return undefined
  return text.match(/"(?:[^"\\]|\\.)*"/gs)?.join(' ')
}

function escapeByte(byte: number): string {
  if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${String(byte).padStart(3, '0')}`
}

/** The words of record data, without the quotes of quoted ones. Texts that are not UTF-8 keep a replacement character. */
export function partsOf(data: string): string[] {
  return [...data.matchAll(/"((?:[^"\\]|\\.)*)"|((?:[^\s"\\]|\\.)+)/gs)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '') : new TextDecoder().decode(bytesOf(quoted)),
  )
}

/** The text of TXT data: its strings, joined. */
export function textOf(data: string): string {
  const strings = [...data.matchAll(/"((?:[^"\\]|\\.)*)"|((?:[^\s"\\]|\\.)+)/gs)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  )
  return new TextDecoder().decode(bytesOf(strings.join('')))
}

function bytesOf(escaped: string): Uint8Array {
  const bytes: number[] = []
  for (const [, decimal, character, plain] of escaped.matchAll(/\\(\d{3})|\\(.)|([^\\]+)/gsu))
    if (decimal !== undefined) bytes.push(Number(decimal) & 255)
    else bytes.push(...new TextEncoder().encode(character ?? plain ?? ''))
  return Uint8Array.from(bytes)
}
