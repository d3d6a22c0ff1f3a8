import type { WireKeyLimit } from '@zonewright/contract'

/** What a person types into the form of a key: names and types, with spaces or commas between them. */
export interface TypedLimit {
  readonly names: string
  readonly types: string
}

/** The limits of a key in one zone, as the API takes them. */
export function limitOf(zone: string, { names, types }: TypedLimit): WireKeyLimit {
  return { zone, names: wordsOf(names), types: wordsOf(types) }
}

/** Words with spaces or commas between them. A space or comma with a backslash is part of a word. */
export function wordsOf(text: string): string[] {
  return text.match(/(?:\\.|[^\s,\\])+/g) ?? []
}

/** The limits of a key in words: `home, *.lan in example.com (A, AAAA)`. */
export function limitWords(limits: readonly WireKeyLimit[]): string {
  const listed = limits.map(({ zone, names, types }) => `${names.join(', ')} in ${zone} (${types.join(', ')})`)
  return listed.length === 0 ? 'no records' : listed.join('; ')
}
