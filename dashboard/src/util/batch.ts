import { Bell } from './bell.ts'

/** How far an item of a batch is. `failed`: it was refused, and is not retried. */
export type ItemState = { readonly kind: 'waiting' } | { readonly kind: 'done' } | Failed

interface Failed {
  readonly kind: 'failed'
  readonly message: string
}

/** The outcome of one attempt. `passing`: the same request may succeed later, after `waitS` if the service says so. */
export type Attempt =
  | { readonly kind: 'done' }
  | Failed
  | { readonly kind: 'passing'; readonly message: string; readonly waitS?: number | undefined }

/** The state of a batch, as a page shows it. */
export interface BatchView {
  readonly states: readonly ItemState[]
  readonly isRunning: boolean
  /** Why it waits, and until when, in ms. */
  readonly delay: { readonly message: string; readonly untilMs: number } | undefined
}

const waiting: ItemState = { kind: 'waiting' }
/** How long a batch waits after the first temporary failure. Each further failure doubles the wait. */
const firstWaitS = 1
const longestWaitS = 30

/**
 * Does something with many items, one after another, because requests count towards the limit of the session. An item that is refused does not stop
 * the others. While the service is unavailable, slow or busy, it waits and tries the same item again, so that nothing is lost or left out.
 */
export class Batch<T> extends Bell {
  readonly items: readonly T[]
  readonly #attempt: (item: T, index: number) => Promise<Attempt>
  readonly #sleep: (ms: number) => Promise<void>
  #states: ItemState[]
  #delay: BatchView['delay']
  /** Counts the runs, so that a batch that is paused and resumed does not run twice. */
  #run = 0
  #isRunning = false
  /** Ends when the last run has ended. */
  #ended: Promise<void> = Promise.resolve()
  /** Ends a delay. */
  #wake: () => void = () => undefined
  #view: BatchView

  constructor(
    items: readonly T[],
    attempt: (item: T, index: number) => Promise<Attempt>,
    { states = [], sleep = sleepMs }: { states?: readonly ItemState[]; sleep?: (ms: number) => Promise<void> } = {},
  ) {
    super()
    this.items = items
    this.#attempt = attempt
    this.#sleep = sleep
    this.#states = items.map((_, i) => states[i] ?? waiting)
    this.#view = this.#look()
  }

  readonly view = (): BatchView => this.#view

  /** Continues with the waiting items. */
  async start(): Promise<void> {
    if (this.#isRunning) return
    const run = ++this.#run
    this.#isRunning = true
    this.#changed()
    // An item of the previous run may still be in progress. It must not be sent a second time in the meantime.
    const before = this.#ended
    this.#ended = before.then(() => this.#go(run))
    await this.#ended
  }

  async #go(run: number): Promise<void> {
    for (let i = 0, tries = 0; i < this.items.length && run === this.#run; ) {
      if (this.#states[i]?.kind !== 'waiting') {
        i++
        continue
      }
      const made = await this.#attempt(this.items[i] as T, i)
      if (made.kind === 'passing') {
        if (run !== this.#run) return
        const waitS = made.waitS ?? Math.min(longestWaitS, firstWaitS * 2 ** tries)
        tries++
        this.#delay = { message: made.message, untilMs: Date.now() + waitS * 1_000 }
        this.#changed()
        await Promise.race([this.#sleep(waitS * 1_000), new Promise<void>((resolve) => (this.#wake = resolve))])
        if (run !== this.#run) return
        this.#delay = undefined
        continue
      }
      // What was done counts, even if it was paused in the meantime.
      this.#states[i] = made
      tries = 0
      i++
      this.#changed()
    }
    if (run === this.#run) this.pause()
  }

  /** Stops after the item in progress. */
  pause(): void {
    this.#run++
    this.#isRunning = false
    this.#delay = undefined
    this.#wake()
    this.#changed()
  }

  #changed(): void {
    this.#view = this.#look()
    this.tell()
  }

  #look(): BatchView {
    return { states: [...this.#states], isRunning: this.#isRunning, delay: this.#delay }
  }
}

function sleepMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** How many items are in each state. */
export function countsOf(states: readonly ItemState[]): { waiting: number; done: number; failed: number } {
  const counts = { waiting: 0, done: 0, failed: 0 }
  for (const { kind } of states) counts[kind]++
  return counts
}
