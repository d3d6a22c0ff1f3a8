/** The text of a file; undefined if it is not in this encoding, because some characters would become U+FFFD. A byte order mark is removed. */
export function decodedText(bytes: ArrayBuffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
