/** An rrset of the zone as it is stored: canonical, with an owner name without trailing dot. */
export interface StoredRrset {
  readonly name: string
  readonly type: string
  readonly ttl: number
  readonly records: readonly string[]
  /** A managed rrset: a delegation to a zone hosted here. */
  readonly managed?: boolean
}

/** One side of a difference; null if there is no rrset. `managed`: the rrset was managed. */
export type Side = { readonly ttl: number; readonly records: readonly string[]; readonly managed?: true } | null

/** How one rrset changed, or would change. */
export interface RrsetMove {
  readonly name: string
  readonly type: string
  readonly before: Side
  readonly after: Side
}

/** A unique text for each rrset of a zone. */
export function keyOf(rrset: { readonly name: string; readonly type: string }): string {
  return `${rrset.name} ${rrset.type}`
}
