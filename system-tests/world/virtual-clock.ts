import pg from 'pg'
import { eventually } from './eventually.ts'
import type { World } from './world.ts'

/** At this pace, a lease of two minutes lasts long enough for its holder. */
const minuteEveryMs = 10_000

/** How far the clock of each database is ahead: the files that share an installation share its clock. */
const secondsAhead = new Map<string, number>()

/** The clock that all deadlines use, moved ahead of the real one for all processes of an installation at once. */
export class VirtualClock {
  readonly #databaseUrl: string

  constructor({ databaseUrl }: Pick<World, 'databaseUrl'>) {
    this.#databaseUrl = databaseUrl
  }

  /** The current time of the installation. */
  now(): Date {
    return new Date(Date.now() + this.#secondsAhead() * 1_000)
  }

  /** Waits for a result, and lets a minute pass from time to time, because only this clock triggers the retry of something that failed by chance. */
  async until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
    let passesAtMs = performance.now() + minuteEveryMs
    return await eventually(what, async () => {
      if (performance.now() > passesAtMs) {
        await this.pass(61)
        passesAtMs = performance.now() + minuteEveryMs
      }
      return await look()
    })
  }

  async pass(seconds: number): Promise<void> {
    const ahead = this.#secondsAhead() + seconds
    secondsAhead.set(this.#databaseUrl, ahead)
    const client = new pg.Client({ connectionString: this.#databaseUrl })
    await client.connect()
    await client.query(`create or replace function app_now() returns timestamptz language sql stable parallel safe
      return statement_timestamp() + interval '${ahead} seconds'`)
    // Hours in which this job would have run have passed in a moment.
    await client.query('select ensure_all_partitions()')
    await client.end()
  }

  #secondsAhead(): number {
    return secondsAhead.get(this.#databaseUrl) ?? 0
  }
}
