import type { DomainName } from '../name.ts'

/** What reading a zone file of another system changed of what it says. */
export interface Adaptation {
  /** The line that is concerned; of what concerns many lines alike, the first. */
  readonly line: number
  readonly code: AdaptationCode
  /** What was done. */
  readonly message: string
  /** Why. */
  readonly reason: string
}

/** Stable words for everything that an import adapts. */
export type AdaptationCode =
  | 'byte_order_mark'
  | 'carriage_return'
  | 'end_mark'
  | 'indentation'
  | 'odd_space'
  | 'invisible_character'
  | 'curly_quotes'
  | 'foreign_mark'
  | 'foreign_line'
  | 'indented_directive'
  | 'indented_owner'
  | 'origin_dot'
  | 'origin_label'
  | 'soa_owner'
  | 'international_name'
  | 'ttl_automatic'
  | 'ttl_raised'
  | 'ttl_lowered'
  | 'ttl_differs'
  | 'ttl_from_soa'
  | 'ttl_usual'
  | 'spf_omitted'
  | 'spf_as_txt'
  | 'routing_policy'

/** A record that is left out because it cannot belong to the zone, or to any zone. */
export interface IgnoredRecord {
  readonly line: number
  readonly name: DomainName
  readonly type: string
  readonly reason: string
}

/** Entries of a list that are kept; the others are counted. */
export const maxNoted = 100

/** A list of which the first entries are kept, and all are counted. */
export class Noted<Entry> {
  readonly first: Entry[] = []
  count = 0

  add(entry: Entry): void {
    this.count++
    if (this.first.length < maxNoted) this.first.push(entry)
  }
}
