/** Something that has to be looked at when its time comes. */
export interface Dated {
  /** Milliseconds since 1970. */
  readonly nextAtMs: number
}

interface Entry<T> {
  readonly atMs: number
  readonly item: T
}

/** Timers cannot be set further ahead than 2^31 ms; looking once an hour costs nothing. */
const longestWaitMs = 3_600_000

/**
 * One timer for any number of zones: a binary heap by date.
 *
 * An item whose date moves back keeps its entry, which is put in again when it comes up too early; so changes cost
 * nothing, and the heap does not grow with them.
 */
export class Agenda<T extends Dated> {
  readonly #heap: Entry<T>[] = []
  /** The earliest entry of each item; others of the same item are left-overs. */
  readonly #entryOf = new Map<T, number>()
  readonly #due: (item: T) => void
  #timer: NodeJS.Timeout | undefined
  #wakesAtMs = Number.POSITIVE_INFINITY

  /** `due` is called for each item whose date has come; it has to move the date on. */
  constructor(due: (item: T) => void) {
    this.#due = due
  }

  /** Enters an item, or takes note that its date has changed. */
  set(item: T): void {
    const atMs = item.nextAtMs
    const known = this.#entryOf.get(item)
    if (known !== undefined && known <= atMs) return
    this.#push({ atMs, item })
    if (atMs < this.#wakesAtMs) this.#wake()
  }

  delete(item: T): void {
    this.#entryOf.delete(item)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#heap.length = 0
    this.#entryOf.clear()
  }

  #wake(): void {
    clearTimeout(this.#timer)
    const [first] = this.#heap
    this.#wakesAtMs = first?.atMs ?? Number.POSITIVE_INFINITY
    if (!first) return
    const waitMs = Math.min(Math.max(first.atMs - Date.now(), 0), longestWaitMs)
    this.#timer = setTimeout(() => this.#work(), Math.ceil(waitMs)).unref()
  }

  #work(): void {
    const nowMs = Date.now()
    // What falls due again meanwhile waits for the next turn: one item that never moves on blocks nobody.
    const due: T[] = []
    for (let [first] = this.#heap; first && first.atMs <= nowMs; [first] = this.#heap) {
      this.#pop()
      if (this.#entryOf.get(first.item) !== first.atMs) continue
      this.#entryOf.delete(first.item)
      if (first.item.nextAtMs <= nowMs) due.push(first.item)
      else this.#push({ atMs: first.item.nextAtMs, item: first.item })
    }
    for (const item of due) {
      this.#due(item)
      this.set(item)
    }
    this.#wake()
  }

  #push(entry: Entry<T>): void {
    this.#entryOf.set(entry.item, entry.atMs)
    let at = this.#heap.push(entry) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = this.#heap[above]
      if (!parent || parent.atMs <= entry.atMs) break
      this.#heap[at] = parent
      at = above
    }
    this.#heap[at] = entry
  }

  #pop(): void {
    const last = this.#heap.pop()
    const size = this.#heap.length
    if (!last || size === 0) return
    let at = 0
    for (;;) {
      const left = at * 2 + 1
      const right = this.#heap[left + 1]
      const leftEntry = this.#heap[left]
      if (!leftEntry) break
      const [below, child] = right && right.atMs < leftEntry.atMs ? [left + 1, right] : [left, leftEntry]
      if (child.atMs >= last.atMs) break
      this.#heap[at] = child
      at = below
    }
    this.#heap[at] = last
  }
}
