import { setTimeout as wait } from 'node:timers/promises'
import { Rounds } from '#modules/events/index.ts'
import type { Database } from '#platform/db.ts'
import type { Logger } from '#platform/log.ts'
import { type CatalogBatch, publishCatalog } from './publish-catalog.ts'

/** The catalog gets at most one serial in this time (design: dns, "Publication"). */
const batchMs = 200

/** Publishes zones that come and go: a lone one at once, many in batches of 200 ms. Only the leader has one. */
export class CatalogPublisher {
  readonly #database: Database
  readonly #published: (batch: CatalogBatch) => void
  readonly #rounds: Rounds
  #publishedAtMs = Number.NEGATIVE_INFINITY

  constructor(database: Database, log: Logger, published: (batch: CatalogBatch) => void) {
    this.#database = database
    this.#published = published
    this.#rounds = new Rounds({ name: 'catalog', log, round: () => this.#round() })
  }

  start(): void {
    this.#rounds.start()
  }

  /** Zones may have come or gone. */
  wake(): void {
    this.#rounds.wake()
  }

  async stop(): Promise<void> {
    await this.#rounds.stop()
  }

  async #round(): Promise<boolean> {
    const waitMs = this.#publishedAtMs + batchMs - performance.now()
    if (waitMs > 0) await wait(waitMs)
    const startedAtMs = performance.now()
    const batch = await publishCatalog(this.#database)
    if (batch.serial !== undefined) this.#publishedAtMs = startedAtMs
    this.#published(batch)
    return batch.isFull
  }
}
