import { setTimeout as wait } from 'node:timers/promises'
import { widenSerial } from '#modules/primary/index.ts'
import { absolute, nextSerial, serialClock } from '#modules/zones/index.ts'
import { actorNamed } from '#platform/caller.ts'
import type { Logger } from '#platform/log.ts'
import { type Database, sql, type Tx } from '#platform/postgres/index.ts'
import { Rounds } from '#platform/work/rounds.ts'
import type { Announcer } from './announcer.ts'
import { pageOfWatched, recentlySeen, type WatchedZone } from './behind-store.ts'
import type { IsLeading } from './leader-lease.ts'
import type { NameserverLine } from './nameserver-line.ts'
import { writeSerials } from './restore-serials.ts'
import { endComparison } from './serial-fence.ts'
import type { PublishedZone } from './store.ts'

/** Queries in a second to all nameservers together, and how many zones each is asked for at the same time. */
const pace = { queriesPerSecond: 5_000, zonesPerPage: 500, atOnce: 50 }
/** How many of the zones that were announced last are compared before all others. */
const mostRecent = 5_000

/** A nameserver serves a serial that its zone does not have in the database. */
export interface Ahead {
  readonly zoneId: string
  readonly serial: number
}

interface ComparisonParts {
  readonly database: Database
  readonly log: Logger
  readonly isLeading: IsLeading
  readonly announcer: Pick<Announcer, 'lines' | 'lookAfter'>
}

/**
 * Compares all zones with what the nameservers serve, after the database failed over or was restored, and moves the serials of those that lost
 * changes ahead. First the zones that were announced last, then all. A leader that takes over in between begins again.
 */
export class Comparison {
  readonly #parts: ComparisonParts
  readonly #rounds: Rounds
  /** What is left of the zones that were announced last; undefined: they have not been read yet. */
  #recent: readonly WatchedZone[] | undefined
  /** The last zone that was compared; undefined: none. */
  #after: string | undefined
  #isOver = false

  constructor(parts: ComparisonParts) {
    this.#parts = parts
    this.#rounds = new Rounds({
      name: 'comparison with the nameservers',
      log: parts.log,
      // Where it stands is in memory.
      look: async () => !this.#isOver,
      round: () => this.#round(),
    })
  }

  start(): void {
    this.#rounds.start()
  }

  stop(): Promise<void> {
    this.#isOver = true
    return this.#rounds.stop()
  }

  /** Compares the next page. A page that fails is compared again. */
  async #round(): Promise<boolean> {
    const { database, log, isLeading } = this.#parts
    if (this.#isOver || !isLeading()) return false
    this.#recent ??= await recentlySeen(database.db, mostRecent)
    if (this.#recent.length > 0) {
      await this.#compare(this.#recent.slice(0, pace.zonesPerPage))
      this.#recent = this.#recent.slice(pace.zonesPerPage)
      return true
    }
    const page = await pageOfWatched(database.db, this.#after, pace.zonesPerPage)
    await this.#compare(page)
    this.#after = page.at(-1)?.id
    if (page.length === pace.zonesPerPage) return true
    await endComparison(database.db)
    this.#isOver = true
    log.info('all zones were compared with the nameservers')
    return false
  }

  async #compare(zones: readonly WatchedZone[]): Promise<void> {
    const { database, log, isLeading, announcer } = this.#parts
    const lines = announcer.lines.filter((line) => !line.isAway)
    const atLeast = wait((zones.length * lines.length * 1_000) / pace.queriesPerSecond)
    const ahead = await Promise.all(lines.map((line) => aheadAt(line, zones)))
    if (isLeading()) await announcer.lookAfter(await moveAhead(database, log, ahead.flat()))
    await atLeast
  }
}

async function aheadAt(line: NameserverLine, zones: readonly WatchedZone[]): Promise<Ahead[]> {
  const ahead: Ahead[] = []
  for (let at = 0; at < zones.length && !line.isAway; at += pace.atOnce)
    await Promise.all(
      zones.slice(at, at + pace.atOnce).map(async ({ id, name, serial }) => {
        const outcome = await line.askSerial(absolute(name))
        if (typeof outcome !== 'number') return
        const seen = widenSerial(outcome, serial)
        if (seen > serial) ahead.push({ zoneId: id, serial: seen })
      }),
    )
  return ahead
}

const actor = actorNamed('system', 'publication')

/**
 * Moves the serials of zones ahead of those that nameservers serve, so that the nameservers fetch the zones in full. Leaves out zones that have
 * changed in the meantime, and serials that the clock for serials has not passed: no change of ours has had them. Returns the ids of the zones
 * that were moved.
 */
export async function moveAhead(database: Database, log: Logger, ahead: readonly Ahead[]): Promise<string[]> {
  if (ahead.length === 0) return []
  const moved = await database.transact(async (tx) => {
    const zones = await lockLost(tx, ahead)
    const serials = zones.map((zone) => ({ ...zone, serial: nextSerial(zone.serial, zone.serialClock) }))
    await writeSerials(tx, serials, actor, 'because the database lost changes of theirs')
    return zones
  })
  const such = moved.slice(0, 5).map(({ name }) => name)
  if (moved.length > 0)
    log.warn({ zones: moved.length, such }, 'the database lost changes of zones; their serials were moved ahead')
  return moved.map(({ id }) => id)
}

/** The zones of these that still lack a serial, locked. */
async function lockLost(
  tx: Tx,
  ahead: readonly Ahead[],
): Promise<(PublishedZone & { readonly name: string; readonly serialClock: number })[]> {
  const { rows } = await sql<PublishedZone & { name: string; serialClock: number }>`
    select z.id, z.name, z.account_id as "accountId", z.version, z.serial, z.rrset_count as "rrsetCount", z.bytes,
      ${serialClock} as "serialClock"
    from zones z where z.id = any(${ahead.map(({ zoneId }) => zoneId)}::uuid[]) and z.state = 'live' and exists (
      select from ${aheadRows(ahead)} where ahead."zoneId" = z.id and z.serial < ahead.serial and ahead.serial < ${serialClock})
    order by z.id for no key update`.execute(tx)
  return rows
}

const aheadRows = sql.recordset('ahead', '"zoneId" uuid, serial bigint')
