import { type ChildProcess, spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { FileLines } from '@zonewright/service/log-lines'

/** A program of the installation. */
export interface ProgramSpec {
  readonly name: string
  /** TypeScript file and its arguments. */
  readonly args: readonly string[]
  /** Options of Node itself. */
  readonly nodeArgs?: readonly string[] | undefined
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Its log file, to which its standard error is appended. */
  readonly logFile: string
  /** Node restarts it whenever a file that it imports changes. */
  readonly watch?: Watch | undefined
}

/** What happens to a watched program after its first start. */
export interface Watch {
  /** It runs with the changed files. */
  restarted(): void
  /** It ended unexpectedly, and waits for the next change. */
  failed(why: string): void
}

/** `--watch` with Node's other options for it. The watching process outlives a parent that was killed; the program then ends it. */
const watchArgs = [
  '--watch',
  '--watch-preserve-output',
  '--require',
  fileURLToPath(new URL('end-with-parent.cjs', import.meta.url)),
]

/** V8 optimizes a function fully after this many calls instead of 3,000 (decision 0037). */
const optimizeEarly = '--invocation-count-for-turbofan=500'
/**
 * Two semi-spaces of at most this many MiB hold the short-lived objects of programs that hold little. By default, V8 lets them grow to 32 MiB each,
 * however few zones or deliveries there are. With 4 MiB, a nameserver that gets a thousand rrsets at once took a fifth more processor time than
 * with 8.
 */
const smallSemiSpaces = '--max-semi-space-size=8'

/** The options of Node for each program, here and in deploy. */
export const nodeArgs = {
  nameserver: [smallSemiSpaces],
  service: [optimizeEarly],
  worker: [smallSemiSpaces, optimizeEarly],
} as const

/** A small machine under load takes its time. */
export const readyTimeoutMs = 60_000
const stopTimeoutMs = 10_000
const longestPauseMs = 5_000

/** A program could not be started; the message is its own. */
export class StartFailed extends Error {}

/**
 * A program that is kept running: it restarts, with growing pauses, whenever it ends unexpectedly.
 *
 * A program is ready when it prints a line that begins with `ready`. It is forked with a channel, so that it stops when
 * this process ends, for whatever reason.
 */
export class Program {
  readonly spec: ProgramSpec
  readonly #log: FileLines
  #onRestart = (): void => undefined
  #child: ChildProcess | undefined
  #ready: Promise<string> | undefined
  #stopping = false
  #pauseMs = 100

  constructor(spec: ProgramSpec) {
    this.spec = spec
    this.#log = new FileLines(openSync(spec.logFile, 'a', 0o600))
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Starts it and waits until it is ready; returns the rest of its ready line. Throws StartFailed with its message. */
  async start(): Promise<string> {
    const line = await this.#spawn()
    this.#keepRunning()
    return line
  }

  /** `hear` is called whenever the program has restarted, with another process id. */
  onRestart(hear: () => void): void {
    this.#onRestart = hear
  }

  /** Waits until the current run, or the one that follows a crash, is ready. */
  async ready(): Promise<void> {
    await this.#ready
  }

  async stop(): Promise<void> {
    this.#stopping = true
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
    await ended
    clearTimeout(timer)
  }

  /** Stops it in order and starts it again, as in the rollout of a new version. */
  async restart(): Promise<void> {
    await this.stop()
    this.#stopping = false
    const starting = this.start()
    this.#onRestart()
    await starting
  }

  #spawn(): Promise<string> {
    const { args, nodeArgs = [], env, watch } = this.spec
    const options = ['--disable-warning=ExperimentalWarning', ...nodeArgs, ...(watch ? watchArgs : [])]
    const child = spawn(process.execPath, [...options, ...args], {
      env: { ...process.env, ...(watch && { ZONEWRIGHT_PARENT: String(process.pid) }), ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    this.#child = child
    let said = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4_000)
      this.#log.write(text)
    })
    this.#ready = new Promise<string>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new StartFailed(`${this.spec.name} was not ready within ${readyTimeoutMs / 1000} s`)),
        readyTimeoutMs,
      )
      const failed = (): void => {
        clearTimeout(timer)
        reject(new StartFailed(complaint(this.spec.name, said)))
      }
      let isFirst = true
      const hear = (line: string): void => {
        if (line.startsWith('ready')) {
          clearTimeout(timer)
          this.#pauseMs = 100
          resolve(line.slice('ready'.length).trim())
          if (!isFirst) watch?.restarted()
          isFirst = false
        } else if (watch && line.startsWith('Failed running ')) {
          // Its standard error may be read only after this.
          setImmediate(() => {
            failed()
            if (!isFirst) watch.failed(complaint(this.spec.name, said))
          })
        }
      }
      if (child.stdout) createInterface({ input: child.stdout }).on('line', hear)
      child.once('exit', failed)
    })
    this.#ready.catch(() => undefined)
    return this.#ready
  }

  #keepRunning(): void {
    this.#child?.once('exit', async (code, signal) => {
      if (this.#stopping) return
      this.#log.write(
        `${JSON.stringify({ msg: `${this.spec.name} ended (${signal ?? code}); restarting it`, time: Date.now() })}\n`,
      )
      await delay(this.#pauseMs)
      this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs)
      if (this.#stopping) return
      this.#spawn().catch(() => undefined)
      this.#keepRunning()
      this.#onRestart()
    })
  }
}

/** The last message of a program for a person before it ended: its fatal error, else its last line, or the message of its last log entry. */
function complaint(name: string, said: string): string {
  const lines = said.split('\n').filter((line) => line.trim() !== '')
  const plain = lines.findLast((line) => /^\w*Error\b/.test(line)) ?? lines.findLast((line) => !line.startsWith('{'))
  return `${name}: ${plain ?? messageOf(lines.at(-1)) ?? 'ended without a word; see its log'}`
}

function messageOf(entry: string | undefined): string | undefined {
  try {
    return (JSON.parse(entry ?? '') as { msg?: string }).msg
  } catch {
    return undefined
  }
}
