import type { Database } from '#platform/db.ts'
import type { Logger } from '#platform/log.ts'
import { type CatalogBatch, publishCatalog } from './publish-catalog.ts'

/** The catalog gets at most one serial in this time (design: dns, "Publication"). */
const batchMs = 200

/** Publishes zones that come and go: a lone one at once, many in batches of 200 ms. Only the leader has one. */
export class CatalogPublisher {
  readonly #database: Database
  readonly #log: Logger
  readonly #published: (batch: CatalogBatch) => void
  #timer: NodeJS.Timeout | undefined
  #startedAtMs = Number.NEGATIVE_INFINITY
  #running: Promise<void> | undefined
  #isStopped = false

  constructor(database: Database, log: Logger, published: (batch: CatalogBatch) => void) {
    this.#database = database
    this.#log = log
    this.#published = published
  }

  /** Zones may have come or gone. */
  poke(): void {
    if (this.#isStopped || this.#timer !== undefined) return
    const waitMs = Math.max(0, this.#startedAtMs + batchMs - performance.now())
    this.#timer = setTimeout(() => {
      this.#running = this.#run()
    }, waitMs)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#running
  }

  async #run(): Promise<void> {
    // While it runs the timer stays set; so what is poked meanwhile is seen to afterwards.
    this.#startedAtMs = performance.now()
    this.#timer = undefined
    await this.#running
    try {
      const batch = await publishCatalog(this.#database)
      if (this.#isStopped) return
      this.#published(batch)
      if (batch.isFull) this.poke()
    } catch (error) {
      this.#log.debug({ err: error }, 'the catalog was not published; the sweep tries again')
    }
  }
}
