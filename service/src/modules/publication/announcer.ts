import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DomainName, TsigKey } from '@zonewright/dns'
import { catalogSoaRecord, type Endpoint, zoneSoa } from '#modules/primary/index.ts'
import { absolute, type Delegate } from '#modules/zones/index.ts'
import type { Logger } from '#platform/log.ts'
import type { Database } from '#platform/postgres/index.ts'
import type { Target } from './announcement.ts'
import { ChangedZones } from './changed-zones.ts'
import type { Figures } from './figures.ts'
import type { IsLeading } from './leader-lease.ts'
import { NameserverLine } from './nameserver-line.ts'
import { NameserverTalk } from './nameserver-talk.ts'
import { Sightings } from './sightings.ts'
import { type LiveZone, readBehind, readLiveZones } from './store.ts'
import { UdpRequester } from './udp-requester.ts'

/** Number of zones whose names are cached by id, the last that were read: no more are announced in a beat. */
const maxOrigins = 4_096

/** Number of zones that are announced between two checks for other changes. */
const breath = 1_000

/** A nameserver and the address at which it is notified and queried. */
export interface NamedEndpoint {
  readonly name: string
  readonly endpoint: Endpoint
}

export interface AnnouncerParts {
  readonly database: Database
  readonly log: Logger
  readonly figures: Figures
  /** In the order of their NS records. */
  readonly configured: readonly NamedEndpoint[]
  /** Notified of everything, but nothing waits for them. */
  readonly retired: readonly NamedEndpoint[]
  readonly key: TsigKey
  /** The listening address of the primary: notifications are sent from it, because nameservers expect it. */
  readonly host: string
  readonly catalog: DomainName
  /** Writes the delegations between zones here. */
  readonly delegate: Delegate
  /** Checked before anything is written. A NOTIFY from a former leader is only a hint, and does no harm. */
  readonly isLeading: IsLeading
}

/** Notifies every nameserver of every change, and finds out which serials each of them serves. */
export class Announcer {
  readonly lines: readonly NameserverLine[]
  readonly sightings: Sightings
  readonly #parts: AnnouncerParts
  /** The nameservers that zones name. */
  readonly #names: readonly string[]
  readonly #requester: UdpRequester
  readonly #changed: ChangedZones
  /** Oldest first. */
  readonly #origins = new Map<string, DomainName>()
  /** Nameservers that still have to be compared: those that came back, and all of them at first. */
  readonly #uncompared: Set<NameserverLine>
  #catalogSerial = 0
  /** Comparisons run one after another: of two at once, the earlier one would clear the doubts of the later one. */
  #comparison: Promise<void> = Promise.resolve()
  /** Announcements from snapshots that age: for each, what was forgotten since it was taken. */
  readonly #forgotten = new Set<Set<DomainName>>()

  constructor(parts: AnnouncerParts) {
    this.#parts = parts
    this.#names = parts.configured.map(({ name }) => name)
    this.#requester = new UdpRequester(parts.log, parts.host)
    this.sightings = new Sightings(parts)
    this.lines = [...parts.configured, ...parts.retired].map(({ name, endpoint }) => {
      const talk = new NameserverTalk(this.#requester, endpoint, parts.key)
      return new NameserverLine(name, talk, parts.catalog, {
        seen: (line, target, serial, tookMs) => this.#seen(line, target, serial, tookMs),
        notified: (line, isAcknowledged) => this.#countNotify(line, isAcknowledged),
        presence: (line) => this.#presenceChanged(line),
      })
    })
    this.#changed = new ChangedZones({
      pacedMs: (zoneId) => this.#pacedMs(zoneId),
      read: (changed) => this.#readChanged(changed),
    })
    this.#uncompared = new Set(this.lines)
  }

  /** The lines of the configured nameservers, without the retired ones. */
  get awaited(): readonly NameserverLine[] {
    return this.lines.slice(0, this.#names.length)
  }

  /** Zones have new serials, or are new in the catalog: their newest serials are read and announced. */
  changed(zoneIds: readonly string[], areNew = false): void {
    // Each change counts, even if several are announced as one.
    for (const id of zoneIds) if (this.#changed.has(id)) for (const line of this.lines) line.countChange()
    this.#changed.add(zoneIds, areNew)
  }

  /** The serial of the catalog that was last announced; 0: none yet. */
  get catalogSerial(): number {
    return this.#catalogSerial
  }

  announceCatalog(serial: number): void {
    this.#catalogSerial = serial
    const { catalog } = this.#parts
    const soa = () => catalogSoaRecord(catalog, serial)
    for (const line of this.lines) line.announce({ zoneId: undefined, origin: catalog, serial, soa })
  }

  /** The zone was sent to a secondary. */
  hint(origin: DomainName): void {
    for (const line of this.lines) line.hint(origin)
  }

  /** Zones that are no longer published. */
  forget(names: readonly string[]): void {
    for (const origin of names.map(absolute)) {
      for (const forgotten of this.#forgotten) forgotten.add(origin)
      for (const line of this.lines) line.forget(origin)
    }
  }

  /** Makes the next `compare` compare everything. */
  doubtAll(): void {
    for (const line of this.lines) this.#uncompared.add(line)
  }

  /** Announces everything that the nameservers in doubt have not been seen to serve; those that are away have to wait. */
  compare(): Promise<void> {
    const comparison = this.#comparison.then(() => this.#compareDoubted())
    this.#comparison = comparison.catch(() => undefined)
    return comparison
  }

  /** Zones whose events wait: releases those that need not wait, and announces what is not served yet. */
  async lookAfter(zoneIds: readonly string[]): Promise<void> {
    await this.sightings.release(zoneIds)
    await this.#announceBehind({ zoneIds, nameservers: this.#names })
  }

  async stop(): Promise<void> {
    this.#changed.stop()
    for (const line of this.lines) line.stop()
    this.#requester.close()
    await this.sightings.settle()
  }

  /** Whether any nameserver serves a zone of this name; false also if it does not answer in time. */
  async isServedBySome(name: string): Promise<boolean> {
    const origin = absolute(name)
    const serving = await Promise.all(this.lines.map((line) => line.serves(origin)))
    return serving.includes(true)
  }

  async #readChanged(changed: ReadonlyMap<string, boolean>): Promise<void> {
    const ids = [...changed.keys()]
    try {
      await this.#unlessForgotten(async (announce) => {
        for (const zone of await readLiveZones(this.#parts.database.db, ids)) {
          const target = { ...this.#targetOf(zone), isNew: changed.get(zone.id) ?? false }
          this.#keepOrigin(zone.id, target.origin)
          for (const line of this.lines) announce(line, target)
        }
      })
      // No nameserver that counts will serve them, so their events are released now.
      if (this.awaited.every((line) => line.outOfSyncSinceMs() !== undefined)) await this.sightings.release(ids)
    } catch (error) {
      this.#parts.log.debug({ err: error }, 'changed zones could not be read; the sweep finds them')
    }
  }

  #keepOrigin(zoneId: string, origin: DomainName): void {
    this.#origins.delete(zoneId)
    this.#origins.set(zoneId, origin)
    const [longestAgo] = this.#origins.size > maxOrigins ? this.#origins.keys() : []
    if (longestAgo !== undefined) this.#origins.delete(longestAgo)
  }

  /** How long every available nameserver would have to wait for it; 0 if there is none, because its events may then be released. */
  #pacedMs(zoneId: string): number {
    const origin = this.#origins.get(zoneId)
    const lines = this.lines.filter((line) => !line.isAway)
    if (origin === undefined || lines.length === 0) return 0
    return Math.min(...lines.map((line) => line.pacedMs(origin)))
  }

  async #compareDoubted(): Promise<void> {
    const lines = [...this.#uncompared].filter((line) => !line.isAway)
    if (lines.length === 0) return
    // A line that is in doubt from here on belongs to the next comparison.
    for (const line of lines) this.#uncompared.delete(line)
    try {
      await this.#announceBehind({ zoneIds: null, nameservers: lines.map(({ name }) => name) })
    } catch (error) {
      for (const line of lines) this.#uncompared.add(line)
      throw error
    }
    for (const line of lines) if (!this.#uncompared.has(line)) line.compared()
  }

  /** Announces what nameservers are behind with: of these zones, or of all zones and the catalog. */
  async #announceBehind(of: Parameters<typeof readBehind>[1]): Promise<void> {
    const lines = new Map(this.lines.map((line) => [line.name, line]))
    await this.#unlessForgotten(async (announce) => {
      const behind = await readBehind(this.#parts.database.db, of)
      if (of.zoneIds === null && this.#catalogSerial > 0) this.announceCatalog(this.#catalogSerial)
      for (const [i, { nameserver, ...zone }] of behind.entries()) {
        // All zones of a large installation at once would keep the leader from reporting in time (`leaseMs`).
        if (i % breath === breath - 1) await nextTurn()
        const line = lines.get(nameserver)
        if (line !== undefined) announce(line, this.#targetOf(zone))
      }
    })
  }

  /** Takes a snapshot of zones and announces them from it, except those that are forgotten in the meantime. */
  async #unlessForgotten(
    work: (announce: (line: NameserverLine, target: Target) => void) => Promise<void>,
  ): Promise<void> {
    const forgotten = new Set<DomainName>()
    this.#forgotten.add(forgotten)
    try {
      await work((line, target) => {
        if (!forgotten.has(target.origin)) line.announce(target)
      })
    } finally {
      this.#forgotten.delete(forgotten)
    }
  }

  #targetOf(zone: LiveZone): Target {
    const origin = absolute(zone.name)
    const soa = () => zoneSoa(zone.name, zone.serial, this.#names)
    return { zoneId: zone.id, origin, serial: zone.serial, soa }
  }

  #seen(line: NameserverLine, { zoneId, origin }: Target, serial: number, tookMs: number): void {
    if (zoneId === undefined) return
    this.#parts.figures.replicationSeconds.observe({ nameserver: line.name }, tookMs / 1_000)
    const isLast = this.lines.every((other) => other === line || !other.isAnnouncing(origin))
    this.sightings.note({ zoneId, nameserver: line.name, serial }, isLast)
  }

  #countNotify({ name: nameserver }: NameserverLine, isAcknowledged: boolean): void {
    this.#parts.figures.notifiesSent.inc({ nameserver })
    if (isAcknowledged) this.#parts.figures.notifiesAcknowledged.inc({ nameserver })
  }

  #presenceChanged(line: NameserverLine): void {
    const { log } = this.#parts
    if (line.isAway) log.warn({ nameserver: line.name }, 'the nameserver does not answer')
    else log.info({ nameserver: line.name }, 'the nameserver answers again')
    this.#uncompared.add(line)
    // If the database is away as well, the sweep tries again.
    this.compare().catch((error: unknown) => log.debug({ err: error }, 'the comparison has to wait'))
  }
}
