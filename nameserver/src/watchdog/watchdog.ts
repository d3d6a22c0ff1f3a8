// The same file as service/src/platform/work/watchdog.ts: the nameserver imports nothing from the service (tools/copies.test.ts).
import { url as inspectorUrl } from 'node:inspector'
import { Worker } from 'node:worker_threads'

/** The main loop's signs of life, in memory that it shares with the thread that watches it. */
export const Sign = { count: 0, isInspected: 1, length: 2 } as const

/** What the thread is given. */
export interface WatchdogData {
  readonly signs: SharedArrayBuffer
  readonly tickMs: number
}

/**
 * Kills this process with SIGKILL if its main loop is blocked for 80 ticks (20 s), so that its supervisor starts it again.
 *
 * The thread that watches counts its own ticks: a pause of the whole process or machine does not count. Nothing is killed while an inspector
 * is open, because a breakpoint stops the main loop.
 */
export function startWatchdog(tickMs = 250): void {
  const signs = new SharedArrayBuffer(Sign.length * Int32Array.BYTES_PER_ELEMENT)
  const shown = new Int32Array(signs)
  const show = (): void => {
    Atomics.add(shown, Sign.count, 1)
    Atomics.store(shown, Sign.isInspected, inspectorUrl() === undefined ? 0 : 1)
  }
  show()
  setInterval(show, tickMs).unref()
  const thread = new Worker(new URL('./watchdog-thread.ts', import.meta.url), {
    workerData: { signs, tickMs } satisfies WatchdogData,
    // Not those of the process, which may be for its main thread alone.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  })
  thread.unref()
}
