// Watches the main loop (watchdog.ts).
import { write } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { Sign, type WatchdogData } from './watchdog.ts'

/** Ticks without a sign of life before the process is killed. */
const maxStill = 80

const { signs, tickMs } = workerData as WatchdogData
const shown = new Int32Array(signs)
let last = 0
let still = 0

setInterval(() => {
  const count = Atomics.load(shown, Sign.count)
  still = count === last && Atomics.load(shown, Sign.isInspected) === 0 ? still + 1 : 0
  last = count
  if (still === maxStill) kill()
}, tickMs)

function kill(): void {
  const msg = `the main loop has been blocked for ${(maxStill * tickMs) / 1_000} s; the process is killed`
  const end = (): void => {
    process.kill(process.pid, 'SIGKILL')
  }
  // The log may also hang.
  setTimeout(end, 1_000)
  write(2, `${JSON.stringify({ level: 60, time: Date.now(), pid: process.pid, msg })}\n`, end)
}
