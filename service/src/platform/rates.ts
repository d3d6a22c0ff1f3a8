/** How many calls one caller may make within a window, and how fast they may start. */
export interface RateLimit {
  /** The name of the limit in metrics and in `RateLimit` headers. */
  readonly name: string
  readonly most: number
  readonly windowS: number
  /** What a refused caller did, for the error message: a sentence without its full stop. */
  readonly excess: string
  /** Without a pace, every admitted call starts at once. */
  readonly pace?: Pace
}

/** Beyond `burst` calls at once, calls start at most `perSecond`, in the order in which they came, so that a flood leaves room for others. */
export interface Pace {
  readonly burst: number
  readonly perSecond: number
}

/** A call's place in its caller's window. */
export interface Place {
  readonly isAdmitted: boolean
  readonly remaining: number
  /** Seconds until the oldest counted call leaves the window; when refused: until the next call is admitted. */
  readonly resetS: number
  /** How long to wait before the call starts, or before it is refused. */
  readonly waitMs: number
}

/** Callers counted at a time, each with up to 61 slices: some 40 MB when every one of them uses up its window. */
const maxCallers = 20_000
/** Calls of one second are counted together, and leave the window together: 60 s after the last of them. */
const sliceMs = 1_000
/**
 * Refusals also cost processor time. Beyond this pace, a caller's refusals are delayed, each by up to a second: a client that waits for its
 * responses slows down.
 */
const refusalPace: Pace = { burst: 50, perSecond: 200 }
const longestRefusalMs = 1_000

/**
 * Counts the calls of each caller over a sliding window, in the memory of this process. Never admits more than `most` within any window.
 *
 * Refused calls are not counted. The table has a fixed size: when it is full, the caller with the oldest last call is forgotten.
 * Each process counts for itself. Limits across all processes are kept in the database.
 */
export class Rates {
  readonly limit: RateLimit
  readonly #windowMs: number
  readonly #maxCallers: number
  readonly #now: () => number
  /** In the order of their last calls. */
  readonly #callers = new Map<string, Counted>()

  constructor(limit: RateLimit, options: { maxCallers?: number; now?: () => number } = {}) {
    this.limit = limit
    this.#windowMs = limit.windowS * 1000
    this.#maxCallers = options.maxCallers ?? maxCallers
    this.#now = options.now ?? (() => performance.now())
  }

  /** Callers in the table. */
  get size(): number {
    return this.#callers.size
  }

  /** Counts one call and returns whether it is admitted. */
  take(caller: string): Place {
    const now = this.#now()
    const counted = this.#counted(caller)
    counted.dropBefore(now - this.#windowMs)
    if (counted.total >= this.limit.most)
      return {
        isAdmitted: false,
        remaining: 0,
        resetS: this.#resetS(counted, now),
        waitMs: Math.min(longestRefusalMs, counted.refusals.next(refusalPace, now)),
      }
    counted.add(now)
    const { pace } = this.limit
    return {
      isAdmitted: true,
      remaining: this.limit.most - counted.total,
      resetS: this.#resetS(counted, now),
      waitMs: pace === undefined ? 0 : counted.starts.next(pace, now),
    }
  }

  /** Whether the next call would be refused if `others` were counted before it. Counts nothing. */
  isFull(caller: string, others = 0): boolean {
    const counted = this.#callers.get(caller)
    counted?.dropBefore(this.#now() - this.#windowMs)
    return (counted?.total ?? 0) + others >= this.limit.most
  }

  #counted(caller: string): Counted {
    const known = this.#callers.get(caller)
    if (known !== undefined) this.#callers.delete(caller)
    else if (this.#callers.size >= this.#maxCallers) this.#forgetQuietest()
    const counted = known ?? new Counted()
    this.#callers.set(caller, counted)
    return counted
  }

  #forgetQuietest(): void {
    const [quietest] = this.#callers.keys()
    if (quietest !== undefined) this.#callers.delete(quietest)
  }

  #resetS({ oldestMs }: Counted, now: number): number {
    return Math.min(this.limit.windowS, Math.max(1, Math.ceil((oldestMs + this.#windowMs - now) / 1000)))
  }
}

/** The calls of one caller. */
class Counted {
  total = 0
  readonly starts = new Turn()
  readonly refusals = new Turn()
  /** Each with the time of its first call and of its last one, the oldest slice first. */
  readonly #slices: { readonly firstMs: number; lastMs: number; calls: number }[] = []

  /** When the last call of the oldest slice came: that slice leaves the window as a whole. */
  get oldestMs(): number {
    return this.#slices[0]?.lastMs ?? 0
  }

  add(now: number): void {
    const last = this.#slices.at(-1)
    if (last !== undefined && now - last.firstMs < sliceMs) {
      last.lastMs = now
      last.calls += 1
    } else this.#slices.push({ firstMs: now, lastMs: now, calls: 1 })
    this.total += 1
  }

  dropBefore(ms: number): void {
    for (let oldest = this.#slices[0]; oldest !== undefined && oldest.lastMs <= ms; oldest = this.#slices[0]) {
      this.total -= oldest.calls
      this.#slices.shift()
    }
  }
}

/** When the next call may start (the generic cell rate algorithm: one number per caller). */
class Turn {
  #dueMs = 0

  /** Milliseconds to wait from now. */
  next({ burst, perSecond }: Pace, now: number): number {
    const everyMs = 1000 / perSecond
    this.#dueMs = Math.max(this.#dueMs, now - burst * everyMs) + everyMs
    return Math.max(0, this.#dueMs - now)
  }
}
