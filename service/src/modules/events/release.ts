import { byIndexAlone, type Database, type Db, type Tx } from '#platform/postgres/index.ts'
import {
  findDue,
  findHeldZones,
  lockHeld,
  type Release,
  type ReleasedEvent,
  releaseOfDeletedZone,
  releasePrefixes,
  startWaiting,
} from './store.ts'

/** Zones whose overdue events are released in one transaction. */
const zonesPerRound = 500

/** The state of a zone that the nameservers serve, as publication sees it. */
export interface Served {
  readonly zoneId: string
  /** Every nameserver that counts serves this serial, or a later one. */
  readonly serial: number
  /** Every nameserver serves the zone, whatever the serial. */
  readonly everywhere: boolean
  /** False while a nameserver is out of sync and therefore does not count. Default: true. */
  readonly replicated?: boolean
}

/** The requests that caused the released events: one entry per event, null if there was none. */
export type Released = readonly (string | null)[]

/**
 * Releases the held events of these zones whose serial is served, and their `zone.created`. Returns, for each
 * released event, the request that caused it.
 *
 * Of each zone's held events, in order, it releases those before the first that must still wait; the rest wait behind that one.
 */
export async function releaseServed(database: Database, served: readonly Served[]): Promise<Released> {
  const furthest = new Map<string, Release>()
  for (const { zoneId, serial, everywhere, replicated = true } of served) {
    const known = furthest.get(zoneId)
    if (known !== undefined && known.serial >= serial && (known.everywhere || !everywhere)) continue
    furthest.set(zoneId, {
      zoneId,
      serial,
      everywhere: everywhere || (known?.everywhere ?? false),
      replicated,
      overdue: false,
    })
  }
  return await release(database, [...furthest.values()])
}

/**
 * Releases events that have waited their 30 s, with `replicated: false`, and events that only waited for their turn, if it has come. Returns
 * the same as `releaseServed`.
 *
 * Never releases `zone.created`, nor events behind it.
 */
export async function releaseOverdue(database: Database): Promise<Released> {
  const zones = await findDue(database.db, zonesPerRound)
  return await release(
    database,
    zones.map((zoneId) => ({ zoneId, serial: -1, everywhere: false, replicated: false, overdue: true })),
  )
}

/**
 * Releases everything that is held for a zone, in the transaction that deletes it and before its `zone.deleted`:
 * changes are sent with `replicated: false`, and a `zone.created` that is still held is dropped.
 */
export async function releaseForDeletion(tx: Tx, zoneId: string): Promise<void> {
  const [, released] = await Promise.all([lockHeld(tx, [zoneId]), releaseOfDeletedZone(tx, zoneId)])
  if (released > 0) tx.wakeAfterCommit('events_ready')
}

/**
 * Zones with events that have been held for a second or longer. Publication checks them again, in case a wake-up was lost.
 *
 * At most 1,000, by id, starting after `after`; fewer means that these were the last.
 */
export async function heldZones(db: Db, after?: string): Promise<string[]> {
  return await findHeldZones(db, after ?? '00000000-0000-0000-0000-000000000000', 1_000)
}

async function release(database: Database, releases: readonly Release[]): Promise<Released> {
  if (releases.length === 0) return []
  const released = await releaseTogether(database, releases)
  const rest = released[0]?.isMore ? await release(database, releases) : []
  return [...released.map(({ requestId }) => requestId), ...rest]
}

/** Releases as many of them as one transaction may release. */
async function releaseTogether(database: Database, releases: readonly Release[]): Promise<ReleasedEvent[]> {
  return await database.transact(async (tx) => {
    const zoneIds = releases.map(({ zoneId }) => zoneId)
    // In one round trip, one after the other.
    const [, , released] = await Promise.all([
      tx.apply(byIndexAlone),
      lockHeld(tx, zoneIds),
      releasePrefixes(tx, releases),
    ])
    const created = released.flatMap(({ held, zoneId }) => (held === 'everywhere' ? [zoneId] : []))
    // A later statement sees the events that were written while the first one waited for their zone's row.
    if (created.length > 0) await startWaiting(tx, created)
    if (released.length > 0) tx.wakeAfterCommit('events_ready')
    return released
  })
}
