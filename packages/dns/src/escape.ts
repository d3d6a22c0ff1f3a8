/** A byte as `\DDD` (RFC 1035 §5.1). */
export function escapedByte(byte: number): string {
  return `\\${String(byte).padStart(3, '0')}`
}

/**
 * The meaning of the text after a backslash at `at`: the byte for `DDD`, `undefined` for a character that represents itself, NaN if there are not
 * three digits or their value is above 255.
 */
export function decimalEscape(text: string, at: number): number | undefined {
  const digits = text.slice(at, at + 3)
  if (!/^\d/.test(digits)) return undefined
  return /^(?:[01]\d\d|2[0-4]\d|25[0-5])$/.test(digits) ? Number(digits) : Number.NaN
}
