import type { Db } from '#platform/postgres/index.ts'
import { namesKeptBelow } from './store.ts'

/** What is written below a name counts within this time: each look reads the parents whole, half a second at a million names. */
export const keptBelowMaxAgeMs = 60_000

/** Names below which the operator keeps records in the parents, as this process last read them: outside any lock of the parents. */
export class KeptBelow {
  readonly #db: Db
  readonly #parents: readonly string[]
  readonly #maxAgeMs: number
  #names: Promise<ReadonlySet<string>> | undefined
  #readAtMs = 0

  constructor(db: Db, parents: readonly string[], maxAgeMs: number) {
    this.#db = db
    this.#parents = parents
    this.#maxAgeMs = maxAgeMs
  }

  async has(name: string): Promise<boolean> {
    if (this.#names === undefined || performance.now() - this.#readAtMs >= this.#maxAgeMs) this.#read()
    return (await this.#names)?.has(name) ?? false
  }

  #read(): void {
    const names = namesKeptBelow(this.#db, this.#parents)
    this.#names = names
    this.#readAtMs = performance.now()
    // Whoever waits for it hears why; the next one reads anew.
    names.catch(() => {
      if (this.#names === names) this.#names = undefined
    })
  }
}
