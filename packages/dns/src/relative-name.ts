import { type DomainName, rootName } from './name.ts'
import type { WrittenName } from './words.ts'

/** A name of two or more labels that was written without a final dot, so that it was completed with an origin (RFC 1035 §5.1). */
export interface RelativeName {
  /** The name that it would be with a final dot. */
  readonly absolute: DomainName
  /** What it was completed with. Never the root. */
  readonly origin: DomainName
}

/** The names in a list that are relative and have two or more labels. */
export function relativeNames(names: readonly WrittenName[], origin: DomainName): RelativeName[] {
  if (origin === rootName) return []
  return names.flatMap(({ text, name }) =>
    isDotted(text) ? [{ absolute: name.slice(0, -origin.length) as DomainName, origin }] : [],
  )
}

/** Whether a name as written has two or more labels, no final dot, and no final `.@`. An escaped dot does not separate labels. */
export function isDotted(text: string): boolean {
  let dot = -1
  for (let at = text.includes('.') ? 0 : text.length; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '.') dot = at
  }
  return dot >= 0 && dot < text.length - 1 && text.slice(dot) !== '.@'
}
