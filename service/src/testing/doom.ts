import type { Database } from '#platform/postgres/index.ts'
import { aroundCalls } from './around-calls.ts'

/** The effect of a killed process on its callers: none of its work continues. */
export class Killed extends Error {}

/**
 * Kills a piece of work at one of its waits: before a call, after a call returns, or just before a commit. What was stored, sent or paid by
 * then remains, as after a kill -9.
 */
export class Doom {
  #waitsLeft: number

  /** @param waits the work is killed at this wait, counted from 1; 0: never */
  constructor(waits: number) {
    this.#waitsLeft = waits
  }

  /** Counts one wait. Throws Killed at the last one, and at every later one. */
  wait(): void {
    if (this.#waitsLeft === 0) return
    if (this.#waitsLeft > 1) this.#waitsLeft -= 1
    else throw new Killed('killed')
  }

  database(database: Database): Database {
    return {
      ...database,
      transact: async (work) => {
        this.wait()
        const result = await database.transact(async (tx) => {
          const worked = await work(tx)
          this.wait()
          return worked
        })
        this.wait()
        return result
      },
    }
  }

  /** The same object, whose methods and members' methods may be killed before and after each call. */
  port<T extends object>(port: T): T {
    return aroundCalls(port, async (_name, _args, call) => {
      this.wait()
      const value = await call()
      this.wait()
      return value
    })
  }
}
