import punycode from 'punycode.js'

/** A domain's name as people write it: in Unicode where a label is an A-label (RFC 5890 §2.3.2.1). */
export function shownName(name: string): string {
  try {
    return punycode.toUnicode(name)
  } catch {
    // It only looks like an A-label.
    return name
  }
}
