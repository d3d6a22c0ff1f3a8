import { type DomainName, labelsOf } from './name.ts'

/** Canonical order (RFC 4034 §6.1): by labels from the right, byte by byte; a parent comes before its children. */
export function compareNames(a: DomainName, b: DomainName): number {
  if (a === b) return 0
  return nameSortKey(a) < nameSortKey(b) ? -1 : 1
}

/** Sorts items by one of their names, in canonical order. */
export function sortedByName<T>(things: Iterable<T>, nameOf: (thing: T) => DomainName): T[] {
  const keyed = Array.from(things, (thing) => ({ key: nameSortKey(nameOf(thing)), thing }))
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1))
  return keyed.map(({ thing }) => thing)
}

/** A string whose plain order is the canonical order, for names that are compared more than once. */
export function nameSortKey(name: DomainName): string {
  const labels = labelsOf(name)
  const raw = name.includes('\\') ? labels.map(rawLabel) : labels
  return raw.reverse().join('\u0000')
}

/** The label with one character per byte. The two lowest bytes need two characters, because U+0000 separates labels. */
function rawLabel(label: string): string {
  return label.replace(/\\(\d{3}|.)/gs, (_, escaped: string) => {
    if (escaped.length === 1) return escaped
    const byte = Number(escaped)
    return byte < 2 ? `\u0001${String.fromCharCode(byte + 1)}` : String.fromCharCode(byte)
  })
}
