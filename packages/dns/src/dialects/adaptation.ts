import type { DomainName } from '../name.ts'

/** A change that the reader made to the content of a zone file from another system. */
export interface Adaptation {
  /** The line, or the first of several lines that were changed for the same reason. */
  readonly line: number
  readonly code: AdaptationCode
  /** What was done. */
  readonly message: string
  /** Why. */
  readonly reason: string
}

/** The kinds of adaptation, as the API shows them. */
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
  | 'aname_as_alias'
  | 'cname_as_alias'
  | 'alias_addresses'

/** A record that is left out because it cannot belong to this zone, or to any zone. */
export interface IgnoredRecord {
  readonly line: number
  readonly name: DomainName
  readonly type: string
  readonly reason: string
}

/** The number of entries that `Noted` keeps. */
export const maxNoted = 100

/** A list that keeps its first entries and counts all. */
export class Noted<Entry> {
  readonly first: Entry[] = []
  count = 0

  add(entry: Entry): void {
    this.count++
    if (this.first.length < maxNoted) this.first.push(entry)
  }
}
