import type { Logger } from './log.ts'
import { inRequest } from './request-id.ts'
import { Rounds } from './rounds.ts'

export interface ClaimedWorkOptions<T> {
  /** Of the part, for its log. */
  readonly name: string
  readonly log: Logger
  /** Items under way at once in this process. */
  readonly max: number
  /** Items are claimed when so many can be; left out: when one can. More where one by one would cost a transaction each. */
  readonly least?: number
  /** Is anything due? (`Database.lookFor`.) */
  readonly look: () => Promise<boolean>
  /** Takes items that are due, so many at most, for longer than their work takes. */
  readonly claim: (max: number) => Promise<readonly T[]>
  /** Works on one. What it rejects with is logged; the item is claimed again when its lease is over. */
  readonly work: (item: T) => Promise<unknown>
  /** What the log names an item by. */
  readonly about: (item: T) => object
  /** The request that an item comes of; left out, or null: none. */
  readonly requestOf?: (item: T) => string | null
}

/**
 * Work on items that are due, some at a time, each by itself: one that hangs keeps its own place and holds up no other. As many are
 * claimed as there are places free: when woken, once a second, and when a place is free again and more may be due.
 *
 * Any number of processes may run it: an item is whose claim it was, until its lease is over.
 */
export class ClaimedWork<T> {
  readonly #options: ClaimedWorkOptions<T>
  readonly #rounds: Rounds
  readonly #underWay = new Set<Promise<void>>()
  /** More may be due than there were places for. */
  #isHungry = false

  constructor(options: ClaimedWorkOptions<T>) {
    this.#options = options
    const { name, log, look } = options
    this.#rounds = new Rounds({ name, log, look, round: () => this.#claim() })
  }

  start(): void {
    this.#rounds.start()
  }

  wake(): void {
    this.#rounds.wake()
  }

  /** Claims no more, and resolves once what is under way has ended. */
  async stop(): Promise<void> {
    await this.#rounds.stop()
    await Promise.all(this.#underWay)
  }

  async #claim(): Promise<boolean> {
    const free = this.#free()
    this.#isHungry = true
    if (!this.#canClaim(free)) return false
    const items = await this.#options.claim(free)
    this.#isHungry = items.length >= free
    for (const item of items) this.#start(item)
    return false
  }

  #start(item: T): void {
    const { work, about, requestOf, log, name } = this.#options
    const working = inRequest(requestOf?.(item) ?? null, () => work(item).then(() => undefined, broken)).finally(() => {
      this.#underWay.delete(working)
      if (this.#isHungry && this.#canClaim(this.#free())) this.#rounds.wake()
    })
    this.#underWay.add(working)

    function broken(error: unknown): void {
      log.error({ err: error, ...about(item) }, `${name}: it broke, and is taken again when its lease is over`)
    }
  }

  #free(): number {
    return this.#options.max - this.#underWay.size
  }

  #canClaim(free: number): boolean {
    return free >= (this.#options.least ?? 1)
  }
}
