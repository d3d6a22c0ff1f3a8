import { setTimeout as wait } from 'node:timers/promises'
import { widenSerial } from '#modules/primary/index.ts'
import { absolute } from '#modules/zones/index.ts'
import { Rounds } from '#platform/work/rounds.ts'
import type { Announcer, AnnouncerParts } from './announcer.ts'
import {
  endComparison,
  forgetCaughtUp,
  noteBehind,
  pageOfWatched,
  type Regress,
  readStalled,
  recentlySeen,
  type Stalled,
  type WatchedZone,
  writeRegresses,
} from './behind-store.ts'
import { type Ahead, moveAhead } from './move-serials.ts'
import type { NameserverLine } from './nameserver-line.ts'
import type { Sightings } from './sightings.ts'
import type { Sighting } from './store.ts'

/**
 * For how many zones a second each nameserver is queried, and how often at most for all of them. 100,000 zones take half an hour: a
 * change that does not arrive is noticed immediately by its announcement, and this finds what nameservers have lost without a change.
 */
const pace = { zonesPerSecond: 50, atOnce: 10, everyMs: 5 * 60_000 }
/** The same after a failover, and the queries in a second to all nameservers together. 100,000 zones take 40 s. */
const fastPace = { zonesPerPage: 500, atOnce: 50, queriesPerSecond: 5_000 }
/** After a failover, this many of the most recently announced zones are compared before all others. */
const mostRecent = 5_000
/** How often the database is queried for zones that are behind; and, while any are, whether they have caught up. */
const noteEveryMs = 60_000
const recheckMs = { few: 1_000, many: noteEveryMs }
const few = 1_000
/** Number of zones that a log line names. */
const mostNamed = 5

/** What the watch needs. */
export interface SerialWatchParts extends Pick<AnnouncerParts, 'database' | 'log' | 'figures' | 'isLeading'> {
  readonly announcer: Pick<Announcer, 'awaited' | 'lookAfter'> & { readonly sightings: Pick<Sightings, 'note'> }
  /** Delay of the first check after the start: nameservers that start at the same time load their zones first. */
  readonly firstAfterMs: number
  /** The database failed over or was restored: all zones are compared as fast as possible (`adoptTimeline`). */
  readonly isToBeCompared: boolean
}

/**
 * Compares the serial of each zone at each nameserver with the expected one, a few zones a second, and reports nameservers that have stopped
 * following a zone: in the metric `zonewright_zones_not_followed`, the log and the table `zones_behind`.
 *
 * A nameserver that lost a zone, or returned to an older serial, is notified of the zone again. If a nameserver is ahead of the database, the
 * zone lost changes in the database, and its serial is moved ahead (`moveAhead`). The alarm ends automatically as soon as the
 * nameserver serves the serial. Only the leader has a watch.
 */
export class SerialWatch {
  readonly #parts: SerialWatchParts
  readonly #rounds: Rounds
  #after: string | undefined
  #nextPassMs: number
  #nextNoteMs: number
  #nextRecheckMs = Number.POSITIVE_INFINITY
  /** When the current pass began. */
  #passStartedMs = 0
  #isStopped = false
  /** Which zones are compared fast: first the recent ones, then all. */
  #fast: 'recent' | 'all' | undefined
  /** How many zones the log last reported, by nameserver. */
  readonly #told = new Map<string, number>()

  constructor(parts: SerialWatchParts) {
    this.#parts = parts
    const firstMs = performance.now() + parts.firstAfterMs
    this.#nextPassMs = firstMs
    this.#nextNoteMs = firstMs
    this.#fast = parts.isToBeCompared ? 'recent' : undefined
    this.#rounds = new Rounds({
      name: 'serials of the nameservers',
      log: parts.log,
      // The time of the next check is in memory.
      look: async () => performance.now() >= Math.min(this.#nextPassMs, this.#nextNoteMs, this.#nextRecheckMs),
      round: () => this.#round(),
    })
  }

  start(): void {
    this.#rounds.start()
  }

  stop(): Promise<void> {
    this.#isStopped = true
    return this.#rounds.stop()
  }

  async #round(): Promise<boolean> {
    const { database, isLeading } = this.#parts
    if (!isLeading()) return false
    if (this.#fast === 'recent') {
      const recent = await recentlySeen(database.db, mostRecent)
      for (let at = 0; at < recent.length && !this.#isStopped; at += fastPace.zonesPerPage)
        await this.#ask(recent.slice(at, at + fastPace.zonesPerPage))
      this.#fast = 'all'
    } else if (this.#fast === 'all' || performance.now() >= this.#nextPassMs) await this.#askPage()
    if (performance.now() >= Math.min(this.#nextNoteMs, this.#nextRecheckMs)) await this.#tell()
    return this.#fast !== undefined && !this.#isStopped
  }

  /** Queries the next zones. The first page of a pass sets the earliest start of the next pass. A page that fails is queried again. */
  async #askPage(): Promise<void> {
    const { database, log, isLeading } = this.#parts
    const startedMs = performance.now()
    const length = this.#fast === undefined ? pace.zonesPerSecond : fastPace.zonesPerPage
    const zones = await pageOfWatched(database.db, this.#after, length)
    if (this.#after === undefined) this.#passStartedMs = startedMs
    await this.#ask(zones)
    this.#after = zones.length < length ? undefined : zones.at(-1)?.id
    // Without the lead, the results of the last page are dropped.
    if (this.#after !== undefined || this.#isStopped || !isLeading()) return
    this.#nextPassMs = this.#passStartedMs + pace.everyMs
    if (this.#fast === undefined) return
    await endComparison(database.db)
    this.#fast = undefined
    log.info('all zones were compared with the nameservers')
  }

  async #ask(zones: readonly WatchedZone[]): Promise<void> {
    const { database, log, announcer, isLeading } = this.#parts
    const lines = announcer.awaited.filter((line) => !line.isAway)
    const { atOnce } = this.#fast === undefined ? pace : fastPace
    const atLeastMs = this.#fast === undefined ? 0 : (zones.length * lines.length * 1_000) / fastPace.queriesPerSecond
    const [looks] = await Promise.all([
      Promise.all(lines.map((line) => askFor(line, zones, atOnce))),
      atLeastMs > 0 && wait(atLeastMs),
    ])
    if (this.#isStopped || !isLeading()) return
    for (const sighting of looks.flatMap(({ sightings }) => sightings)) announcer.sightings.note(sighting, true)
    const ahead = looks.flatMap((look) => look.ahead)
    const regresses = looks.flatMap((look) => look.regresses)
    if (ahead.length + regresses.length === 0) return
    const moved = await moveAhead(database, log, ahead)
    await writeRegresses(database.db, regresses)
    await announcer.lookAfter([...new Set([...moved, ...regresses.map(({ zoneId }) => zoneId)])])
  }

  /** Records which nameservers are behind, and reports those that have been for too long. */
  async #tell(): Promise<void> {
    const { db } = this.#parts.database
    const { awaited } = this.#parts.announcer
    let left = await forgetCaughtUp(db)
    if (performance.now() >= this.#nextNoteMs) {
      this.#nextNoteMs = performance.now() + noteEveryMs
      // A nameserver that is away has its own alarm.
      const present = awaited.filter((line) => !line.isAway)
      await noteBehind(
        db,
        present.map(({ name }) => name),
      )
      left = 1
    }
    this.#nextRecheckMs =
      left > 0 ? performance.now() + (left > few ? recheckMs.many : recheckMs.few) : Number.POSITIVE_INFINITY
    const stalled = new Map((await readStalled(db, mostNamed)).map((each) => [each.nameserver, each]))
    for (const { name } of awaited) this.#show(name, stalled.get(name))
  }

  #show(nameserver: string, stalled: Stalled | undefined): void {
    const { figures, log } = this.#parts
    const zones = stalled?.zoneCount ?? 0
    figures.zonesNotFollowed.set({ nameserver }, zones)
    const told = this.#told.get(nameserver) ?? 0
    if (zones > told)
      log.warn(
        { nameserver, zones, such: stalled?.zones.map(({ zone }) => zone) },
        'the nameserver does not follow some zones',
      )
    if (zones === 0 && told > 0) log.info({ nameserver }, 'the nameserver follows all zones again')
    this.#told.set(nameserver, zones)
  }
}

/** One nameserver's answers about zones: newer serials than before, what it has lost, and where it is ahead of the database. */
interface Look {
  readonly sightings: Sighting[]
  readonly regresses: Regress[]
  readonly ahead: Ahead[]
}

async function askFor(line: NameserverLine, zones: readonly WatchedZone[], atOnce: number): Promise<Look> {
  const look: Look = { sightings: [], regresses: [], ahead: [] }
  for (let at = 0; at < zones.length && !line.isAway; at += atOnce)
    await Promise.all(zones.slice(at, at + atOnce).map((zone) => askForOne(line, zone, look)))
  return look
}

async function askForOne(line: NameserverLine, zone: WatchedZone, look: Look): Promise<void> {
  const ask = () => line.askSerial(absolute(zone.name))
  let outcome = await ask()
  // A datagram may have been lost, and the next pass may be half an hour away.
  if (outcome === 'silent' && !line.isAway) outcome = await ask()
  if (outcome === 'silent') return
  const was = zone.seen[line.name]
  const is = outcome === 'not_served' ? null : widenSerial(outcome, zone.serial)
  const at = { zoneId: zone.id, nameserver: line.name }
  if (was !== undefined && (is === null || is < was)) look.regresses.push({ ...at, was, is })
  else if (is !== null && is !== was) look.sightings.push({ ...at, serial: is })
  if (is !== null && is > zone.serial) look.ahead.push({ zoneId: zone.id, serial: is })
}
