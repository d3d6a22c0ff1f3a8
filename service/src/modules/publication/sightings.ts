import { type Released, releaseServed } from '#modules/events/index.ts'
import type { Logger } from '#platform/log.ts'
import type { Database } from '#platform/postgres/index.ts'
import { Gather } from '#platform/work/gather.ts'
import type { IsLeading } from './leader-lease.ts'
import { readServed, type Sighting, writeSightings } from './store.ts'

/** Maximum number of sightings in one batch, and the minimum time between two batches. */
const batch = { maxItems: 2_000, gapMs: 3 }
/** How long a sighting waits for those of the same zone by the other nameservers, because a single one releases nothing. */
const companyMs = 10
/** Number of zones for which the released serial is cached: only an optimization, so some may be forgotten. */
const maxRemembered = 100_000

/** Writes what nameservers were seen to serve, many sightings at a time, and releases the events that waited for it. */
export class Sightings {
  readonly #database: Database
  readonly #log: Logger
  readonly #isLeading: IsLeading
  readonly #gather: Gather<Sighting, undefined>
  readonly #released = new Map<string, { serial: number; everywhere: boolean }>()
  readonly #writing = new Set<Promise<unknown>>()
  /** Waiting for others of the same zone, by zone. */
  readonly #early = new Map<string, Sighting[]>()
  #company: NodeJS.Timeout | undefined

  constructor({ database, log, isLeading }: { database: Database; log: Logger; isLeading: IsLeading }) {
    this.#database = database
    this.#log = log
    this.#isLeading = isLeading
    this.#gather = new Gather(batch, (sightings) => this.#write(sightings))
  }

  /**
   * Records a sighting. It is written within about 15 ms, or immediately if the zone is being announced to no other nameserver. If it
   * cannot be written, the sweep sees it again.
   */
  note(sighting: Sighting, isLast: boolean): void {
    const early = this.#early.get(sighting.zoneId) ?? []
    early.push(sighting)
    if (isLast) {
      this.#early.delete(sighting.zoneId)
      this.#enter(early)
    } else {
      this.#early.set(sighting.zoneId, early)
      this.#company ??= setTimeout(() => this.#enterEarly(), companyMs)
    }
  }

  /** Releases the events of these zones that may be released, according to the database. */
  async release(zoneIds: readonly string[]): Promise<void> {
    this.#tell(await releaseServed(this.#database, await readServed(this.#database.db, zoneIds)))
  }

  /** Resolves once all recorded sightings are written. */
  async settle(): Promise<void> {
    this.#enterEarly()
    await Promise.all(this.#writing)
  }

  #enterEarly(): void {
    clearTimeout(this.#company)
    this.#company = undefined
    const early = [...this.#early.values()]
    this.#early.clear()
    for (const sightings of early) this.#enter(sightings)
  }

  #enter(sightings: readonly Sighting[]): void {
    for (const sighting of sightings) {
      const written = this.#gather
        .ask(sighting)
        .catch((error: unknown) => {
          this.#log.debug({ err: error }, 'observed serials were not stored; the next sweep reads them again')
        })
        .finally(() => this.#writing.delete(written))
      this.#writing.add(written)
    }
  }

  async #write(sightings: readonly Sighting[]): Promise<undefined[]> {
    // The current leader has newer sightings.
    if (!this.#isLeading()) return sightings.map(() => undefined)
    const newest = new Map<string, Sighting>()
    for (const sighting of sightings) {
      const key = `${sighting.zoneId} ${sighting.nameserver}`
      if (sighting.serial >= (newest.get(key)?.serial ?? 0)) newest.set(key, sighting)
    }
    await writeSightings(this.#database.db, [...newest.values()])
    const zoneIds = [...new Set(sightings.map(({ zoneId }) => zoneId))]
    const served = await readServed(this.#database.db, zoneIds)
    // The first nameserver of a zone to have a serial changes nothing yet, so no release is requested for it.
    const further = served.filter(({ zoneId, serial, everywhere }) => {
      const known = this.#released.get(zoneId)
      return serial > (known?.serial ?? -1) || (everywhere && known?.everywhere !== true)
    })
    if (further.length > 0) {
      this.#tell(await releaseServed(this.#database, further))
      for (const { zoneId, serial, everywhere } of further) this.#remember(zoneId, { serial, everywhere })
    }
    return sightings.map(() => undefined)
  }

  /** Changes of requests are served everywhere: one log line for all that were at the same time. */
  #tell(released: Released): void {
    const requestIds = released.filter((id) => id !== null)
    if (requestIds.length > 0) this.#log.info({ requestIds }, 'changes are served by every nameserver')
  }

  #remember(zoneId: string, far: { serial: number; everywhere: boolean }): void {
    this.#released.delete(zoneId)
    this.#released.set(zoneId, far)
    const [oldest] = this.#released.keys()
    if (oldest !== undefined && this.#released.size > maxRemembered) this.#released.delete(oldest)
  }
}
