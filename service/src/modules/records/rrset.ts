/** An rrset of the zone as it is kept: canonical, owner name without trailing dot. */
export interface StoredRrset {
  readonly name: string
  readonly type: string
  readonly ttl: number
  readonly records: readonly string[]
  /** The service's own: a delegation to a zone hosted here. */
  readonly managed?: boolean
}

/** One side of a difference; null where there is no rrset. `managed`: it was the service's own. */
export type Side = { readonly ttl: number; readonly records: readonly string[]; readonly managed?: true } | null

/** How one rrset moved, or would move. */
export interface RrsetMove {
  readonly name: string
  readonly type: string
  readonly before: Side
  readonly after: Side
}

/** One text for each rrset of a zone. */
export function keyOf(rrset: { readonly name: string; readonly type: string }): string {
  return `${rrset.name} ${rrset.type}`
}
