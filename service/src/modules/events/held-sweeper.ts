import type { Logger } from '#platform/log.ts'
import type { Database } from '#platform/postgres/index.ts'
import { Rounds } from '#platform/work/rounds.ts'
import { releaseOverdue } from './release.ts'
import { isAnyOverdue } from './store.ts'

/** Releases, once a second, the held events that have waited their 30 s. Any number of them may run concurrently. */
export class HeldSweeper {
  readonly #rounds: Rounds

  constructor({ database, log }: { database: Database; log: Logger }) {
    this.#rounds = new Rounds({
      name: 'held events',
      log,
      look: database.pollFor(isAnyOverdue),
      round: async () => (await releaseOverdue(database)).length > 0,
    })
  }

  start(): void {
    this.#rounds.start()
  }

  async stop(): Promise<void> {
    await this.#rounds.stop()
  }
}
