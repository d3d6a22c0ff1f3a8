import type { Logger } from '#platform/log.ts'
import type { Database } from '#platform/postgres/index.ts'
import type { Attempt } from './attempt.ts'
import { addHours, type HourCount } from './hours-store.ts'
import { relaxed } from './lane-store.ts'

const hourMs = 3_600_000
/** How long attempts are counted in memory. Until then, they are not in the charts, and are lost if the process is killed. */
const gatherMs = 5_000
/** Maximum number of counts that one statement adds. */
const maxTogether = 1_000

/**
 * Counts the attempts of this process by endpoint and hour, and adds them to the database every 5 s, because a statement for each attempt would slow
 * deliveries. Nothing runs while nothing is sent.
 */
export class AttemptCounts {
  readonly #database: Database
  readonly #log: Logger
  #counts = new Map<string, HourCount>()
  #timer: NodeJS.Timeout | undefined
  #storing: Promise<void> = Promise.resolve()

  constructor({ database, log }: { database: Database; log: Logger }) {
    this.#database = database
    this.#log = log
  }

  count(endpointId: string, { startedAt, durationMs, failure }: Attempt): void {
    const hour = new Date(Math.floor(startedAt.getTime() / hourMs) * hourMs)
    const [succeeded, failed] = failure === null ? [1, 0] : [0, 1]
    this.#add({ endpointId, hour, succeeded, failed, totalMs: durationMs, slowestMs: durationMs })
    this.#timer ??= setTimeout(() => this.#begin(), gatherMs)
  }

  /** Stores the current counts. */
  async stop(): Promise<void> {
    await this.#storing
    clearTimeout(this.#timer)
    await this.#store()
  }

  #begin(): void {
    this.#timer = undefined
    this.#storing = this.#storing.then(() => this.#store())
  }

  /** Counts that cannot be stored stay for the next time. */
  async #store(): Promise<void> {
    // Sorted, so that two workers never wait for each other.
    const counts = [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count)
    this.#counts = new Map()
    for (let first = 0; first < counts.length; first += maxTogether) {
      const some = counts.slice(first, first + maxTogether)
      try {
        await this.#database.transact((tx) => Promise.all([tx.apply(relaxed), addHours(tx, some)]))
      } catch (error) {
        this.#log.warn({ err: error, endpoints: some.length }, 'attempts could not be counted; they are counted later')
        for (const count of counts.slice(first)) this.#add(count)
        return
      }
    }
  }

  #add(count: HourCount): void {
    const key = `${count.endpointId} ${count.hour.getTime()}`
    const before = this.#counts.get(key)
    this.#counts.set(
      key,
      before === undefined
        ? count
        : {
            ...count,
            succeeded: before.succeeded + count.succeeded,
            failed: before.failed + count.failed,
            totalMs: before.totalMs + count.totalMs,
            slowestMs: Math.max(before.slowestMs, count.slowestMs),
          },
    )
  }
}
