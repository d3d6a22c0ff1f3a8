/** Away: this number of queries in a row had no answer, the first of them this long ago. */
const silence = { questions: 4, ms: 2_000 }
/** How often a nameserver that is away is probed, and how long it has to answer. */
const probeMs = 1_000

/** Whether a nameserver answers at all. */
export class Presence {
  readonly #probe: (timeoutMs: number) => Promise<boolean>
  readonly #changed: (isAway: boolean) => void
  readonly #nowMs: () => number
  #silentQuestions = 0
  /** When the first of them got no response. Earlier silence means nothing if there was no query. */
  #silentSinceMs = 0
  #isAway = false
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  /** `probe` sends any query and resolves to whether it was answered; `changed` is called when it goes away and comes back. */
  constructor(
    probe: (timeoutMs: number) => Promise<boolean>,
    changed: (isAway: boolean) => void,
    nowMs = () => performance.now(),
  ) {
    this.#probe = probe
    this.#changed = changed
    this.#nowMs = nowMs
  }

  get isAway(): boolean {
    return this.#isAway
  }

  /** Records whether a query was answered. */
  note(isAnswered: boolean): void {
    if (this.#isStopped) return
    if (isAnswered) {
      this.#silentQuestions = 0
      return
    }
    const nowMs = this.#nowMs()
    if (this.#silentQuestions === 0) this.#silentSinceMs = nowMs
    this.#silentQuestions++
    const isLong = nowMs - this.#silentSinceMs > silence.ms
    if (this.#isAway || !isLong || this.#silentQuestions < silence.questions) return
    this.#isAway = true
    this.#changed(true)
    this.#probeLater()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #probeLater(): void {
    this.#timer = setTimeout(async () => {
      const isAnswered = await this.#probe(probeMs)
      if (this.#isStopped) return
      if (!isAnswered) return this.#probeLater()
      this.#isAway = false
      this.note(true)
      this.#changed(false)
    }, probeMs)
  }
}
