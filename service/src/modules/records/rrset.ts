/** An rrset of the zone as it is stored: canonical, with an owner name without trailing dot. */
export interface StoredRrset {
  readonly name: string
  readonly type: string
  readonly ttl: number
  readonly records: readonly string[]
  /** A managed rrset: a delegation to a zone hosted here, or the TXT by which Domain Connect finds us (`isDiscovery`). */
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

/**
 * The managed TXT at `_domainconnect` of a zone. Customers can read it. It gives way to their own records, and is not part of the zone's history,
 * events and exports.
 */
export function isDiscovery({
  type,
  managed,
}: {
  readonly type: string
  readonly managed?: boolean | undefined
}): boolean {
  return managed === true && type === 'TXT'
}

/** The moves as customers see them: without the TXT of Domain Connect. */
export function shownMoves(moves: readonly RrsetMove[]): readonly RrsetMove[] {
  const isHidden = (type: string, side: Side): boolean => side !== null && isDiscovery({ type, managed: side.managed })
  if (!moves.some(({ type, before, after }) => isHidden(type, before) || isHidden(type, after))) return moves
  return moves.flatMap((move) => {
    const before = isHidden(move.type, move.before) ? null : move.before
    const after = isHidden(move.type, move.after) ? null : move.after
    return before === null && after === null ? [] : [{ ...move, before, after }]
  })
}
