import type { Db } from '#platform/postgres/index.ts'
import { namesKeptBelow } from './store.ts'

/** Changes below a name take effect within this time. Each read scans the whole parents, which takes half a second for a million names. */
export const keptBelowMaxAgeMs = 60_000

/** Names below which the operator has records in the parents, as this process last read them, without a lock of the parents. */
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
    // Callers that wait for this read get the error; the next caller reads again.
    names.catch(() => {
      if (this.#names === names) this.#names = undefined
    })
  }
}
