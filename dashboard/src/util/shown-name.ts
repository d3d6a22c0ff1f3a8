import punycode from 'punycode.js'

/** A domain's name as people write it: labels that are A-labels become Unicode (RFC 5890 §2.3.2.1). */
export function shownName(name: string): string {
  try {
    return punycode.toUnicode(name)
  } catch {
    // It only resembles an A-label.
    return name
  }
}
