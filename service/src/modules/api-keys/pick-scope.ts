import { displayQuoted, type WireKeyLimit, type WirePick } from '@zonewright/contract'
import { parseZoneRef, zoneNameIn } from '#modules/zones/index.ts'
import { firstCharacters } from '#platform/bounded-text.ts'
import type { FaultDetail } from '#platform/errors.ts'
import type { Db } from '#platform/postgres/index.ts'
import { readLimits } from './record-limits.ts'
import { type AskedPick, findPicks, type PickedScope } from './scope-store.ts'

const domainIdShape = /^dom_[0-9a-f]{32}$/

/**
 * Resolves an account's selection for a key, as of now. A name selects everything of that name that the account owns or that is shared with it.
 * Anything else is a fault at `/zones/{index}`, as if it did not exist.
 *
 * With limits, a name selects only zones.
 */
export async function pickScope(
  db: Db,
  accountId: string,
  picks: readonly WirePick[],
  limits?: readonly WireKeyLimit[],
): Promise<{ scope: PickedScope; faults: FaultDetail[] }> {
  const found = await findPicks(db, accountId, picks.map(askedOf).map(limits ? zoneAlone : (asked) => asked))
  const isFound = new Set(found.map(({ n }) => n))
  const idsOf = (kind: 'zone' | 'domain') => [
    ...new Set(found.filter((each) => each.kind === kind).map(({ id }) => id)),
  ]
  const scope = { zones: idsOf('zone'), domains: idsOf('domain').map(Number) }
  const faults = picks.flatMap((pick, n) =>
    limits && isDomain(pick) ? [domainInLimited(n)] : isFound.has(n) ? [] : [faultOf(pick, n)],
  )
  if (limits === undefined) return { scope, faults }
  const zones = [...new Map(found.map((zone) => [zone.id, zone])).values()]
  const read = readLimits(zones, limits)
  return { scope: { ...scope, limits: read.limits }, faults: [...faults, ...read.faults] }
}

function zoneAlone(asked: AskedPick): AskedPick {
  return asked.kind === 'domain' ? { n: asked.n } : { ...asked, kind: 'zone' }
}

export function isDomain(pick: WirePick): boolean {
  return typeof pick !== 'string' && pick.kind === 'domain'
}

export function domainInLimited(n: number): FaultDetail {
  return { path: `/zones/${n}`, code: 'unlimited_only', message: 'A key with limits cannot cover a domain.' }
}

/** A malformed id is left out together with the name, so that the pick finds nothing. */
export function askedOf(pick: WirePick, n: number): AskedPick {
  if (typeof pick === 'string') {
    const ref = parseZoneRef(pick)
    return 'id' in ref ? { n, kind: 'zone', zone_id: ref.id } : { n, name: ref.name }
  }
  const { kind, id, name } = pick
  const named = name === undefined ? {} : { name: zoneNameIn(name) }
  if (id === undefined) return { n, kind, ...named }
  if (kind === 'domain') return domainIdShape.test(id) ? { n, kind, domain_id: id, ...named } : { n, kind }
  const ref = parseZoneRef(id)
  return 'id' in ref ? { n, kind, zone_id: ref.id, ...named } : { n, kind }
}

export function faultOf(pick: WirePick, n: number): FaultDetail {
  const [kind, text] = typeof pick === 'string' ? ['zone or domain', pick] : [pick.kind, pick.name ?? pick.id]
  const quoted = displayQuoted(firstCharacters(text ?? ''))
  return {
    path: `/zones/${n}`,
    code: 'not_found',
    message: text
      ? `The ${kind} ${quoted} does not exist, or this account has no access to it.`
      : `Give the id or the name of a ${kind}.`,
  }
}
