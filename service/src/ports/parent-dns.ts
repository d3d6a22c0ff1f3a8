/** Why nothing is known about a delegation: what the parent's servers did, in one word. */
export type ParentFailure =
  /** The parent's servers could not be determined. */
  | 'no_parent'
  /** None of them answered in time. */
  | 'timeout'
  /** Their answers say nothing about the name: an error, a cached answer, or another zone's. */
  | 'lame'
  /** Two of them gave different answers. */
  | 'disagree'
  /** Only one of them gave an answer that needs confirmation by a second one. */
  | 'one_server'

/** The answer of the parent's servers about a name that may be delegated. */
export type ParentAnswer =
  | {
      readonly kind: 'nameservers'
      /** Lower-case, no trailing dot, sorted; none: the name exists without a delegation. */
      readonly nameservers: readonly string[]
      /** Two of the parent's servers gave the same answer, or the parent is known to have only one. */
      readonly isConfirmed: boolean
    }
  /** The parent has no such name. */
  | { readonly kind: 'missing'; readonly isConfirmed: boolean }
  | { readonly kind: 'no_answer'; readonly failure: ParentFailure }

/** Queries the servers of the zone above a zone. */
export interface ParentDns {
  /** The nameservers to which the parent delegates the zone (lower-case A-labels, no trailing dot). Never rejects; takes at most about 20 s. */
  delegationOf(zone: string): Promise<ParentAnswer>
}
