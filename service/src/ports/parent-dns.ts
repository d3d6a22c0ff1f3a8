/** Why nothing is known of a delegation: what the parent's servers did, in one word. */
export type ParentFailure =
  /** Which servers the parent has could not be found out. */
  | 'no_parent'
  /** None of them answered in time. */
  | 'timeout'
  /** They answered something that says nothing about the name: an error, a cached answer, another zone's. */
  | 'lame'
  /** Two of them said different things. */
  | 'disagree'
  /** One alone says something that one alone is not believed. */
  | 'one_server'

/** What the parent's servers say about a name that may be delegated. */
export type ParentAnswer =
  | {
      readonly kind: 'nameservers'
      /** Lower-case, no trailing dot, sorted; none: the name exists without a delegation. */
      readonly nameservers: readonly string[]
      /** Two of the parent's servers said the same, or it is known to have no second one. */
      readonly isConfirmed: boolean
    }
  /** The parent has no such name. */
  | { readonly kind: 'missing'; readonly isConfirmed: boolean }
  | { readonly kind: 'no_answer'; readonly failure: ParentFailure }

/** The zone above a zone, asked at its own servers. */
export interface ParentDns {
  /** To whom the parent delegates the zone (lower-case A-labels, no trailing dot). Never rejects; within some 20 s. */
  delegationOf(zone: string): Promise<ParentAnswer>
}
