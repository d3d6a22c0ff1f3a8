import type { Database } from '#platform/db.ts'

/** What a process that is killed leaves its callers with: nothing of it goes on. */
export class Killed extends Error {}

/** Methods of the ports that are over when they return: nothing is waited for. */
const syncMethods = new Set(['registryOf', 'parseWebhook'])

/**
 * Kills a piece of work at one of its waits: before a call is made, after it has come back, or just before a commit. What was
 * kept, sent or paid by then stays so, as after a kill -9.
 */
export class Doom {
  #waitsLeft: number

  /** @param waits the work is killed at this wait, counted from 1; 0: never */
  constructor(waits: number) {
    this.#waitsLeft = waits
  }

  /** One more wait. Throws Killed when it is the last one, and at every later one. */
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

  /** The same object, whose methods may be killed at before and after; those of its members, too. */
  port<T extends object>(port: T): T {
    return new Proxy(port, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member === 'object' && member !== null && !Array.isArray(member)) return this.port(member)
        if (typeof member !== 'function') return member
        if (syncMethods.has(String(name))) return (...args: unknown[]) => this.#found(member.apply(target, args))
        return (...args: unknown[]) => this.#call(() => member.apply(target, args) as Promise<unknown>)
      },
    })
  }

  async #call(call: () => Promise<unknown>): Promise<unknown> {
    this.wait()
    const value = await call()
    this.wait()
    return value
  }

  #found(value: unknown): unknown {
    return typeof value === 'object' && value !== null ? this.port(value) : value
  }
}
