import type { Logger } from '../log.ts'
import { inRequest } from '../request-id.ts'
import { Rounds } from './rounds.ts'

export interface ClaimedWorkOptions<T> {
  /** The name of this part in its log. */
  readonly name: string
  readonly log: Logger
  /** Most items in progress at once in this process. */
  readonly max: number
  /** Fewest free places at which items are claimed; 1 by default. More where one claim for each item would cost a transaction each. */
  readonly least?: number
  /** Is anything due? (`Database.pollFor`.) */
  readonly look: () => Promise<boolean>
  /** Claims due items, at most `max`, for longer than their work takes; none of the shares in `fullShares`. */
  readonly claim: (max: number, fullShares: readonly string[]) => Promise<readonly T[]>
  /**
   * The share of an item is what may block many items at once, such as their registry; `max` is the most places of one share. `all`: every
   * share; while all of them are full, nothing is claimed. Left out: no shares.
   */
  readonly shares?: { readonly of: (item: T) => string; readonly max: number; readonly all?: readonly string[] }
  /** Works on one item. A rejection is logged; the item is claimed again when its lease ends. */
  readonly work: (item: T) => Promise<unknown>
  /** The fields that identify an item in the log. */
  readonly about: (item: T) => object
  /** The request that caused an item; left out, or null: none. */
  readonly requestOf?: (item: T) => string | null
}

/**
 * Work on due items, several at a time and independently: one that blocks keeps its own place and does not delay others. As many are
 * claimed as there are free places, in total and for each share: on a wake-up, once a second, and when a place becomes free and more
 * may be due.
 *
 * Any number of processes may run it: an item belongs to the process that claimed it, until its lease ends.
 */
export class ClaimedWork<T> {
  readonly #options: ClaimedWorkOptions<T>
  readonly #rounds: Rounds
  /** Work in progress, with the share that it counts toward. */
  readonly #underWay = new Map<Promise<void>, string>()
  /** Where more items may be due than there were places for: in any share, or only in these. */
  #hungry: 'all' | readonly string[] = []

  constructor(options: ClaimedWorkOptions<T>) {
    this.#options = options
    const { name, log, look } = options
    this.#rounds = new Rounds({ name, log, look, round: () => this.#claim() })
  }

  /** Whether items are in progress in this process. */
  get isBusy(): boolean {
    return this.#underWay.size > 0
  }

  start(): void {
    this.#rounds.start()
  }

  wake(): void {
    this.#rounds.wake()
  }

  /** Stops claiming, and resolves once the work in progress has ended. */
  async stop(): Promise<void> {
    await this.#rounds.stop()
    await Promise.all(this.#underWay.keys())
  }

  async #claim(): Promise<boolean> {
    const { places, full } = this.#room()
    this.#hungry = 'all'
    if (!this.#isEnough(places) || this.#isFull(full)) return false
    const items = await this.#options.claim(places, full)
    const isMoreDue = items.length >= places
    // The other shares have nothing more that is due: when their items end, there is no need for another claim, which would read past all
    // items of the full ones.
    this.#hungry = isMoreDue ? 'all' : full
    for (const item of items) this.#start(item)
    return isMoreDue && this.#isEnough(this.#room().places)
  }

  /** Whether these are all shares: a claim would read past all due items, and find none. */
  #isFull(full: readonly string[]): boolean {
    const all = this.#options.shares?.all ?? []
    return all.length > 0 && all.every((share) => full.includes(share))
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

  /** The places that a claim may fill whatever the shares of its items, and the shares that are full. */
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
