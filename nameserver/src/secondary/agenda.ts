/** An item that is due at a given time. */
export interface Dated {
  /** Milliseconds since 1970. */
  readonly nextAtMs: number
  /** Used only by the agenda: when it checks the item next. Infinite for an item that is not in the agenda. */
  enteredAtMs: number
}

/** How soon the agenda notices that the clock was set. The check costs nothing. */
const longestWaitMs = 60_000
/** Synchronizing a clock sets it back by less than this. */
const leastStepMs = 60_000

/**
 * One timer for any number of zones: a binary heap by date.
 *
 * An item whose date moves to a later time keeps its entry, which is inserted again when it comes up too early. So changes
 * cost nothing, and the heap does not grow with them. An entry has only two numbers, because there are as many as zones.
 */
export class Agenda<T extends Dated> {
  readonly #items: T[] = []
  #atMs = new Float64Array(64)
  readonly #due: (item: T) => void
  readonly #clockWentBack: () => void
  /** The last known difference between `Date.now()` and the monotonic clock. */
  #aheadMs = aheadMs()
  #timer: NodeJS.Timeout | undefined
  #wakesAtMs = Number.POSITIVE_INFINITY

  /**
   * `due` is called for each item whose date has come; it has to move the date to a later time. `clockWentBack` is called when the clock was set back
   * by more than a minute: earlier dates may then be arbitrarily far in the future.
   */
  constructor(due: (item: T) => void, clockWentBack: () => void) {
    this.#due = due
    this.#clockWentBack = clockWentBack
  }

  /** Adds an item, or records that its date has changed. */
  set(item: T): void {
    const atMs = item.nextAtMs
    if (item.enteredAtMs <= atMs) return
    this.#push(item, atMs)
    if (atMs < this.#wakesAtMs) this.#wake()
  }

  delete(item: T): void {
    item.enteredAtMs = Number.POSITIVE_INFINITY
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#items.length = 0
  }

  #wake(): void {
    clearTimeout(this.#timer)
    this.#wakesAtMs = this.#firstAtMs()
    if (this.#items.length === 0) return
    const waitMs = Math.min(Math.max(this.#wakesAtMs - Date.now(), 0), longestWaitMs)
    this.#timer = setTimeout(() => this.#work(), Math.ceil(waitMs)).unref()
  }

  #work(): void {
    this.#watchClock()
    const nowMs = Date.now()
    // An item that becomes due again in this turn waits for the next turn, so that an item that is always due does not block the others.
    const due: T[] = []
    for (let atMs = this.#firstAtMs(); atMs <= nowMs; atMs = this.#firstAtMs()) {
      const item = this.#pop()
      // If an item has two entries, the later entry is outdated.
      if (!item || item.enteredAtMs !== atMs) continue
      item.enteredAtMs = Number.POSITIVE_INFINITY
      if (item.nextAtMs <= nowMs) due.push(item)
      else this.#push(item, item.nextAtMs)
    }
    for (const item of due) {
      this.#due(item)
      this.set(item)
    }
    this.#wake()
  }

  #watchClock(): void {
    const beforeMs = this.#aheadMs
    this.#aheadMs = aheadMs()
    if (beforeMs - this.#aheadMs > leastStepMs) this.#clockWentBack()
  }

  #firstAtMs(): number {
    return this.#items.length === 0 ? Number.POSITIVE_INFINITY : (this.#atMs[0] ?? 0)
  }

  #push(item: T, atMs: number): void {
    item.enteredAtMs = atMs
    let at = this.#items.push(item) - 1
    if (at >= this.#atMs.length) {
      const grown = new Float64Array(Math.ceil(at * 1.25) + 64)
      grown.set(this.#atMs)
      this.#atMs = grown
    }
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = this.#items[above]
      const parentAtMs = this.#atMs[above] ?? 0
      if (!parent || parentAtMs <= atMs) break
      this.#put(at, parent, parentAtMs)
      at = above
    }
    this.#put(at, item, atMs)
  }

  /** Removes the first entry. */
  #pop(): T | undefined {
    const [first] = this.#items
    const last = this.#items.pop()
    const size = this.#items.length
    if (!last || size === 0) return first
    const lastAtMs = this.#atMs[size] ?? 0
    let at = 0
    for (;;) {
      const left = at * 2 + 1
      if (left >= size) break
      const below = left + 1 < size && (this.#atMs[left + 1] ?? 0) < (this.#atMs[left] ?? 0) ? left + 1 : left
      const child = this.#items[below]
      const childAtMs = this.#atMs[below] ?? 0
      if (!child || childAtMs >= lastAtMs) break
      this.#put(at, child, childAtMs)
      at = below
    }
    this.#put(at, last, lastAtMs)
    return first
  }

  #put(at: number, item: T, atMs: number): void {
    this.#items[at] = item
    this.#atMs[at] = atMs
  }
}

function aheadMs(): number {
  return Date.now() - performance.now()
}
