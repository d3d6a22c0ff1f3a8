/** Away: so many questions in a row went unanswered, the first of them so long ago. */
const silence = { questions: 4, ms: 2_000 }
/** How often a nameserver that is away is asked whether it is back, and how long it has to answer. */
const probeMs = 1_000

/** Whether a nameserver answers at all. */
export class Presence {
  readonly #probe: (timeoutMs: number) => Promise<boolean>
  readonly #changed: (isAway: boolean) => void
  readonly #nowMs: () => number
  #silentQuestions = 0
  /** When the first of them had gone unanswered: that nothing was heard before says nothing, where nothing was asked. */
  #silentSinceMs = 0
  #isAway = false
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  /** `probe` asks it anything and resolves to whether it answered; `changed` is called on the way out and back. */
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

  /** Takes note that a question was answered, or was not. */
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
