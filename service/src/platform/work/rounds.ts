import type { Logger } from '../log.ts'

/** How often a part looks for work without a wake-up, in case one was lost. */
const sweepMs = 1_000
const firstPauseMs = 250
const longestPauseMs = 5_000

/** A round of work. True: there is more to do now. */
export type Round = () => Promise<boolean>

/**
 * A background part's work, done in rounds: at once when woken, once a second otherwise, never two rounds at a time.
 *
 * A wake-up during a round causes another round after it, so none is lost. A round that fails (PostgreSQL is unavailable) is logged
 * once, and retried after a growing pause.
 */
export class Rounds {
  readonly #name: string
  readonly #round: Round
  readonly #look: () => Promise<boolean>
  readonly #log: Logger
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #again = false
  #stopped = true
  #failures = 0

  /**
   * @param options.look whether there is anything to do (`Database.pollFor`). Called before the round of a sweep, which would nearly always find
   * nothing
   */
  constructor(options: { name: string; round: Round; log: Logger; look: () => Promise<boolean> }) {
    this.#name = options.name
    this.#round = options.round
    this.#look = options.look
    this.#log = options.log
  }

  start(): void {
    this.#stopped = false
    this.wake()
  }

  /** Requests a round now, or right after the one that is running. */
  wake(): void {
    this.#again = true
    // While the database is away the pause is kept: wake-ups must not hammer it.
    if (this.#stopped || this.#running !== undefined || this.#failures > 0) return
    clearTimeout(this.#timer)
    this.#running = this.#run()
  }

  /** Resolves once the round that is running is over; none begins after. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#running
  }

  async #run(): Promise<void> {
    try {
      do {
        const isWoken = this.#again
        this.#again = false
        if ((isWoken || (await this.#look())) && (await this.#round())) this.#again = true
        this.#recovered()
      } while (this.#again && !this.#stopped)
    } catch (error) {
      this.#failed(error)
    }
    this.#running = undefined
    if (!this.#stopped) this.#timer = setTimeout(() => this.#sweep(), this.#pauseMs())
  }

  #sweep(): void {
    this.#running = this.#run()
  }

  #pauseMs(): number {
    // At the same time as the process's other parts, so that they check together.
    if (this.#failures === 0) return sweepMs - (performance.now() % sweepMs)
    return Math.min(longestPauseMs, firstPauseMs * 2 ** (this.#failures - 1))
  }

  #failed(error: unknown): void {
    this.#failures += 1
    if (this.#failures === 1) this.#log.warn({ err: error }, `${this.#name}: a round failed; retrying`)
  }

  #recovered(): void {
    if (this.#failures > 0) this.#log.info({ failures: this.#failures }, `${this.#name}: works again`)
    this.#failures = 0
  }
}
