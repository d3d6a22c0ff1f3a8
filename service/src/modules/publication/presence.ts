/** Away: so many questions in a row went unanswered, and nothing was heard for so long. */
const silence = { questions: 4, ms: 2_000 }
/** How often a nameserver that is away is asked whether it is back, and how long it has to answer. */
const probeMs = 1_000

/** Whether a nameserver answers at all. */
export class Presence {
  readonly #probe: (timeoutMs: number) => Promise<boolean>
  readonly #changed: (isAway: boolean) => void
  #silentQuestions = 0
  #heardAtMs = performance.now()
  #isAway = false
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  /** `probe` asks it anything and resolves to whether it answered; `changed` is called on the way out and back. */
  constructor(probe: (timeoutMs: number) => Promise<boolean>, changed: (isAway: boolean) => void) {
    this.#probe = probe
    this.#changed = changed
  }

  get isAway(): boolean {
    return this.#isAway
  }

  /** Takes note that a question was answered, or was not. */
  note(isAnswered: boolean): void {
    if (this.#isStopped) return
    if (isAnswered) {
      this.#silentQuestions = 0
      this.#heardAtMs = performance.now()
      return
    }
    this.#silentQuestions++
    const isLong = performance.now() - this.#heardAtMs > silence.ms
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
