import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '#platform/db.ts'
import type { CalledZone, Finish } from '#platform/http/call.ts'

/** Whether every nameserver was seen to serve a zone's serial, or a later one. */
export type IsServed = (db: Db, zoneId: string, serial: number) => Promise<boolean>

/** How often is looked: often at first, when the change is most likely to arrive. */
const pauseMs = { first: 4, most: 100 }

/** Waits for the nameservers on behalf of a caller. */
export class Replication {
  readonly #db: Db
  readonly #isServed: IsServed

  constructor(db: Db, isServed: IsServed) {
    this.#db = db
    this.#isServed = isServed
  }

  /** What a write answers, once the nameservers have its serial if the caller prefers to wait (`Prefer: wait`, RFC 7240 §4.3). */
  readonly finish: Finish = async ({ zone, waitS }, given) => {
    if (waitS === undefined || given.zoneSerial === undefined) return given
    const replicated = await this.within(zone, given.zoneSerial, waitS)
    return {
      ...given,
      ...(given.body === undefined ? {} : { body: { ...(given.body as object), replicated } }),
      headers: { ...given.headers, 'preference-applied': `wait=${waitS}`, 'zone-replicated': String(replicated) },
    }
  }

  /** Resolves to whether the nameservers have the serial, at the latest after so many seconds. A pending zone has none. */
  async within(zone: Pick<CalledZone, 'id' | 'state'>, serial: number, seconds: number): Promise<boolean> {
    if (zone.state !== 'live') return false
    const untilMs = performance.now() + seconds * 1_000
    for (let waitMs = pauseMs.first; ; waitMs = Math.min(waitMs * 1.5, pauseMs.most)) {
      if (await this.#isServed(this.#db, zone.id, serial)) return true
      const leftMs = untilMs - performance.now()
      if (leftMs <= 0) return false
      await delay(Math.min(waitMs, leftMs))
    }
  }
}
