import { maxSharedPlanZones } from '@zonewright/contract'
import { keyLacks, remedyFor } from '#http/authorise.ts'
import type { CalledZone } from '#http/call.ts'
import { readCalledZones } from '#modules/api-keys/index.ts'
import { parseZoneRef } from '#modules/zones/index.ts'
import type { Caller } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import { isUuid } from '#platform/ids.ts'
import type { Db } from '#platform/postgres/index.ts'
import { type Replacement, refuseRepeated, type SentZone } from './rules.ts'
import { namesWith, nextZones, type SearchedZone } from './store.ts'

/** A zone of a plan. */
export interface PlanZone {
  /** Its position in the request. */
  readonly place: number
  readonly sent: SentZone
  /** Undefined: the account sees no such zone. */
  readonly zone: CalledZone | undefined
}

/**
 * The zones that a request names, in its order.
 *
 * @throws Refusal `forbidden` that names zones that the key does not cover; `validation_failed` if a zone appears twice
 */
export async function readPlanZones(db: Db, caller: Caller, sent: readonly SentZone[]): Promise<PlanZone[]> {
  const refs = sent.map(({ zone }) => parseZoneRef(zone))
  const zones = await readCalledZones(db, caller, refs)
  refuseUncovered(caller, zones)
  refuseRepeated(zones.map((zone) => zone?.id))
  return sent.map((one, place) => ({ place, sent: one, zone: zones[place] }))
}

/** Maximum number of zones that a refusal names. */
const mostNamed = 5

function refuseUncovered(caller: Caller, zones: readonly (CalledZone | undefined)[]): void {
  const uncovered = zones.filter((zone) => zone !== undefined && !zone.covered) as CalledZone[]
  const [first] = uncovered
  if (first === undefined || caller.kind !== 'key') return
  const names = uncovered.slice(0, mostNamed).map(({ name }) => name)
  const more = uncovered.length > mostNamed ? ` and ${uncovered.length - mostNamed} more` : ''
  const what = uncovered.length === 1 ? `the zone ${first.name}` : `the zones ${names.join(', ')}${more}`
  throw keyLacks(caller, what, remedyFor('zone', first.name, first.role))
}

/** How many zones are read at once, how many record sets one statement searches, and after how many a plan ends. */
const searching = { zones: 2_500, rrsetsAtOnce: 50_000, rrsets: 1_000_000 }

/** Zones with a value, and the cursor after them; null: there are no more. */
export interface FoundZones {
  readonly zones: readonly PlanZone[]
  readonly nextCursor: string | null
}

/** Finds the caller's zones that have a value, by name: at most as many as a plan can have. It reads a bounded number of record sets. */
export async function findPlanZones(
  db: Db,
  caller: Caller,
  replacement: Replacement,
  cursor: string | undefined,
): Promise<FoundZones> {
  let after = keyAt(cursor)
  const found: SearchedZone[] = []
  for (let rrsets = 0, isLast = false; !isLast && rrsets < searching.rrsets && found.length < maxSharedPlanZones; ) {
    const page = await nextZones(db, caller, after, searching.zones)
    const holders = await holdersAmong(db, page, replacement)
    isLast = page.length < searching.zones
    for (const zone of page) {
      after = keyOf(zone)
      rrsets += zone.rrsetCount
      if (holders.has(zone.id)) found.push(zone)
      if (found.length < maxSharedPlanZones) continue
      isLast = false
      break
    }
    if (isLast) after = undefined
  }
  const zones = await readCalledZones(
    db,
    caller,
    found.map(({ id }) => ({ id })),
  )
  return {
    // A zone that has been deleted since it was found is not in the plan.
    zones: zones.flatMap((zone, place) => (zone?.covered ? [{ place, sent: { zone: zone.name }, zone }] : [])),
    nextCursor: after === undefined ? null : cursorAt(after),
  }
}

/** The ids of the zones that have a value. */
async function holdersAmong(
  db: Db,
  zones: readonly SearchedZone[],
  replacement: Replacement,
): Promise<ReadonlySet<string>> {
  const holders = new Set<string>()
  for (let at = 0; at < zones.length; ) {
    const ids: string[] = []
    for (let rrsets = 0; at < zones.length && rrsets < searching.rrsetsAtOnce; at++) {
      const zone = zones[at]
      if (zone === undefined) break
      ids.push(zone.id)
      rrsets += zone.rrsetCount
    }
    for (const id of (await namesWith(db, ids, replacement)).keys()) holders.add(id)
  }
  return holders
}

/** Where a search continues after a zone. */
export function cursorAfter(zone: { readonly id: string; readonly name: string }): string {
  return cursorAt(keyOf(zone))
}

function keyOf({ id, name }: { readonly id: string; readonly name: string }): readonly string[] {
  return [name, id]
}

/** A cursor names the zone after which the search continues. */
function cursorAt(key: readonly string[]): string {
  return key.join('/')
}

function keyAt(cursor: string | undefined): readonly string[] | undefined {
  if (cursor === undefined) return undefined
  const [name = '', id = ''] = cursor.split('/')
  if (isUuid(id)) return [name, id]
  const message = 'This cursor is not from a plan. Start without a cursor.'
  throw Refusal.of([{ path: '/cursor', code: 'invalid', message }])
}
