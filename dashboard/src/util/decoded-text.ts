/** The text of a file; undefined when it is not UTF-8: read all the same, some of it would be U+FFFD. A byte-order mark is left out. */
export function utf8Text(bytes: ArrayBuffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
