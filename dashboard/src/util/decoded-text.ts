/**
 * The text of a file; undefined when it is not in this encoding: read all the same, some of it would be U+FFFD. A byte order mark is left
 * out.
 */
export function decodedText(bytes: ArrayBuffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
