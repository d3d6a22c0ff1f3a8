import type { Logger } from '../log.ts'
import { inRequest } from '../request-id.ts'
import { Rounds } from './rounds.ts'

export interface ClaimedWorkOptions<T> {
  /** Of the part, for its log. */
  readonly name: string
  readonly log: Logger
  /** Items under way at once in this process. */
  readonly max: number
  /** Items are claimed when so many can be; left out: when one can. More where one by one would cost a transaction each. */
  readonly least?: number
  /** Is anything due? (`Database.pollFor`.) */
  readonly look: () => Promise<boolean>
  /** Takes items that are due, so many at most, for longer than their work takes; none of these shares. */
  readonly claim: (max: number, fullShares: readonly string[]) => Promise<readonly T[]>
  /** What may hang many items at once, such as the registry they go to: it keeps no more than so many places. Left out: all share alike. */
  readonly shares?: { readonly of: (item: T) => string; readonly max: number }
  /** Works on one. What it rejects with is logged; the item is claimed again when its lease is over. */
  readonly work: (item: T) => Promise<unknown>
  /** What the log names an item by. */
  readonly about: (item: T) => object
  /** The request that an item comes of; left out, or null: none. */
  readonly requestOf?: (item: T) => string | null
}

/**
 * Work on items that are due, some at a time, each by itself: one that hangs keeps its own place and holds up no other. As many are
 * claimed as there are places free, for all and for each share: when woken, once a second, and when a place is free again and more
 * may be due.
 *
 * Any number of processes may run it: an item is whose claim it was, until its lease is over.
 */
export class ClaimedWork<T> {
  readonly #options: ClaimedWorkOptions<T>
  readonly #rounds: Rounds
  /** What is under way, and the share that it counts for. */
  readonly #underWay = new Map<Promise<void>, string>()
  /** More may be due than there were places for: in any share, or in these alone. */
  #hungry: 'all' | readonly string[] = []

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
    await Promise.all(this.#underWay.keys())
  }

  async #claim(): Promise<boolean> {
    const { places, full } = this.#room()
    this.#hungry = 'all'
    if (!this.#isEnough(places)) return false
    const items = await this.#options.claim(places, full)
    const isMoreDue = items.length >= places
    // Of the other shares nothing more is due: their ends are no reason to ask again, past all that waits for a full one.
    this.#hungry = isMoreDue ? 'all' : full
    for (const item of items) this.#start(item)
    return isMoreDue && this.#isEnough(this.#room().places)
  }

  #start(item: T): void {
    const { work, about, requestOf, log, name, shares } = this.#options
    const share = shares?.of(item) ?? ''
    const working = inRequest(requestOf?.(item) ?? null, () => work(item).then(() => undefined, broken)).finally(() => {
      this.#underWay.delete(working)
      const isHungry = this.#hungry === 'all' || this.#hungry.includes(share)
      if (isHungry && this.#isEnough(this.#room().places)) this.#rounds.wake()
    })
    this.#underWay.set(working, share)

    function broken(error: unknown): void {
      log.error({ err: error, ...about(item) }, `${name}: failed; retried when its lease ends`)
    }
  }

  /** The places that a claim may fill whichever shares its items are of, and the shares that get none. */
  #room(): { places: number; full: string[] } {
    const { max, shares } = this.#options
    const free = max - this.#underWay.size
    if (shares === undefined) return { places: free, full: [] }
    const taken = new Map<string, number>()
    for (const share of this.#underWay.values()) taken.set(share, (taken.get(share) ?? 0) + 1)
    const full = [...taken.keys()].filter((share) => (taken.get(share) ?? 0) >= shares.max)
    const most = Math.max(0, ...[...taken.values()].filter((count) => count < shares.max))
    return { places: Math.min(free, shares.max - most), full }
  }

  #isEnough(places: number): boolean {
    return places >= (this.#options.least ?? 1)
  }
}
