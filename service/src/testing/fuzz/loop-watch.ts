/** A period in which the event loop did only one thing. */
export interface Block {
  /** From the machine's clock, in milliseconds. */
  readonly fromMs: number
  readonly toMs: number
  /** How long the thread itself ran in the meantime, because waiting for the processor of a busy machine is not an error. */
  readonly cpuMs: number
}

const everyMs = 4

/** Watches the event loop of this thread. A block is noted once it is over. */
export class LoopWatch {
  readonly #leastMs: number
  readonly #timer: NodeJS.Timeout
  #blocks: Block[] = []

  constructor(leastMs: number) {
    this.#leastMs = leastMs
    let last = now()
    let usage = process.threadCpuUsage()
    this.#timer = setInterval(() => {
      const at = now()
      const used = process.threadCpuUsage(usage)
      const cpuMs = (used.user + used.system) / 1_000
      if (cpuMs > this.#leastMs) this.#blocks.push({ fromMs: last, toMs: at, cpuMs })
      last = at
      usage = process.threadCpuUsage()
    }, everyMs)
  }

  /** The blocks since the last call. */
  take(): Block[] {
    return this.#blocks.splice(0)
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}

function now(): number {
  return performance.timeOrigin + performance.now()
}
