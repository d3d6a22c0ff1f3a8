import { rrsetBytes } from '@zonewright/dns'
import { advanceStatement, nextSerial } from '#modules/zones/index.ts'
import type { Database } from '#platform/postgres/index.ts'
import { addressesOf, type PublishedRrset } from './publish-aliases.ts'
import { type PublishedAlias, publishStatement } from './published-store.ts'
import { publishedTtl } from './rules.ts'
import {
  type AliasBehind,
  aliasesBehind,
  lockSpreadZones,
  noteSpread,
  type SpreadStep,
  type SpreadZone,
  stepsStatement,
  zonesBehind,
} from './spread-store.ts'

/** Maximum number of ALIAS records that one transaction updates. */
const maxAliases = 500

/**
 * Publishes the new addresses of targets in some of the zones that still have earlier ones: a serial and a journal step for each zone whose
 * records change, and no version, audit entry or event, because no customer changed anything. Returns whether there may be more.
 *
 * A zone that a customer is changing is left for the next round.
 */
export async function spreadAddresses(database: Database): Promise<{ zones: number; isMore: boolean }> {
  const behind = await zonesBehind(database.db, maxAliases)
  if (behind.length === 0) {
    await noteSpread(database.db)
    return { zones: 0, isMore: false }
  }
  return database.transact(async (tx) => {
    const zones = await lockSpreadZones(tx, behind)
    if (zones.length === 0) return { zones: 0, isMore: false }
    // A later statement, which sees what the zones had when they were locked.
    const byZone = Map.groupBy(
      await aliasesBehind(
        tx,
        zones.map(({ id }) => id),
        maxAliases,
      ),
      ({ zoneId }) => zoneId,
    )
    const moves = zones.map((zone) => ({ zone, ...moveOf(byZone.get(zone.id) ?? []) }))
    const changed = moves.filter(({ zone, removed, added }) => zone.isLive && removed.length + added.length > 0)
    const now = moves.flatMap((move) => move.now)
    const steps = changed.map(stepOf)
    const advances = changed.map(({ zone: { id, version, rrsetCount, bytes } }, i) => ({
      ...{ id, version, rrsetCount, bytes },
      serial: steps[i]?.to_serial ?? 0,
    }))
    tx.writeAtCommit([
      ...(now.length > 0 ? [publishStatement(now)] : []),
      ...(changed.length > 0 ? [advanceStatement(advances), stepsStatement(steps)] : []),
    ])
    for (const { zone } of changed) tx.wakeAfterCommit('zones_changed', zone.id)
    return { zones: changed.length, isMore: true }
  })
}

interface Move {
  readonly removed: PublishedRrset[]
  readonly added: PublishedRrset[]
  readonly now: PublishedAlias[]
}

function moveOf(aliases: readonly AliasBehind[]): Move {
  const move: Move = { removed: [], added: [], now: [] }
  for (const { now: target, ...alias } of aliases) {
    const { a, aaaa, revision } = target
    const now = { ...alias, a, aaaa, revision, ttl: publishedTtl(alias.rrsetTtl, target.ttl) }
    move.now.push(now)
    const [before, after] = [addressesOf(alias), addressesOf(now)]
    move.removed.push(...before.filter((rrset) => !after.some((other) => isSame(rrset, other))))
    move.added.push(...after.filter((rrset) => !before.some((other) => isSame(rrset, other))))
  }
  return move
}

function isSame(one: PublishedRrset, other: PublishedRrset): boolean {
  return one.type === other.type && one.ttl === other.ttl && String(one.records) === String(other.records)
}

function stepOf({ zone, removed, added }: { readonly zone: SpreadZone } & Pick<Move, 'removed' | 'added'>): SpreadStep {
  return {
    zone_id: zone.id,
    from_serial: zone.serial,
    to_serial: nextSerial(zone.serial, zone.serialClock),
    removed,
    added,
    bytes: [...removed, ...added].reduce((sum, { name, records }) => sum + name.length + rrsetBytes(records), 0),
  }
}
