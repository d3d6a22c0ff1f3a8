import type { Database } from '#platform/postgres/index.ts'
import { Gather } from '#platform/work/gather.ts'
import { noteReads, type SignedRead } from './store.ts'

/** How often a read of a zone by a key is sent to the database, which records it once a minute, and how many reads are remembered for that. */
const onceInMs = 5_000
const mostRemembered = 10_000

/** The maximum number of reads that one statement records, and the minimum time between two statements. */
const noting = { maxItems: 500, gapMs: 100 }

/**
 * Records which keys read which zones, so that the service keeps notifying their secondaries. A secondary that transfers in a loop costs
 * one statement every five seconds.
 */
export class SignedReads {
  readonly #notes: Gather<SignedRead, undefined>
  readonly #recent = new Map<string, number>()

  constructor({ db }: Pick<Database, 'db'>) {
    this.#notes = new Gather(noting, async (reads) => {
      await noteReads(db, reads)
      return reads.map(() => undefined)
    })
  }

  /** Does not wait for the database, and never fails: a read that could not be recorded is recorded with a later one. */
  note(read: SignedRead): void {
    const id = `${read.keyId} ${read.zoneId}`
    const nowMs = performance.now()
    if (nowMs - (this.#recent.get(id) ?? Number.NEGATIVE_INFINITY) < onceInMs) return
    if (this.#recent.size >= mostRemembered) this.#recent.clear()
    this.#recent.set(id, nowMs)
    this.#notes.ask(read).catch(() => this.#recent.delete(id))
  }
}
