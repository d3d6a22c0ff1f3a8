import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { loadCore, onCore } from '../cores.ts'
import type { LoadOrder, LoadResult } from './udp-load.ts'

const program = fileURLToPath(new URL('./udp-load.ts', import.meta.url))

/** The process that creates the load, on a core of its own; it runs one order at a time. */
export class LoadProcess {
  readonly #child: ChildProcess
  readonly #gone: Promise<never>

  constructor() {
    const [command, args] = onCore(loadCore, process.execPath, ['--disable-warning=ExperimentalWarning', program])
    this.#child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    this.#gone = once(this.#child, 'exit').then(([code]) => {
      throw new Error(`the load ended with ${code}`)
    })
    this.#gone.catch(() => undefined)
  }

  /** Rejects if the process ended instead. */
  async run(order: LoadOrder): Promise<LoadResult> {
    const answered = once(this.#child, 'message')
    this.#child.send(order)
    const [result] = await Promise.race([answered, this.#gone])
    return result as LoadResult
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#gone.catch(() => undefined)
  }
}
