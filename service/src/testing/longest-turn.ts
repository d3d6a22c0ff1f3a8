import assert from 'node:assert/strict'
import { writeAndReadJson } from './json-work.ts'

/**
 * Runs work, and returns the duration of the longest turn of the event loop in the meantime, in milliseconds of this thread's processor time.
 *
 * The clock is not used, because it would also measure other work on the machine.
 */
async function longestTurnMs<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly ms: number }> {
  let longestUs = 0
  let isOver = false
  let before = process.threadCpuUsage()
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(before)
    longestUs = Math.max(longestUs, user + system)
    before = process.threadCpuUsage()
    // Often enough to see every long turn, but not so often that this itself uses a whole processor.
    if (!isOver) setTimeout(look, 1)
  }
  setTimeout(look, 1)
  try {
    const result = await work()
    await new Promise((resolve) => setTimeout(resolve, 2))
    return { result, ms: longestUs / 1_000 }
  } finally {
    isOver = true
  }
}

/** Maximum number of times that work is run and measured. */
const maxRuns = 3

/**
 * Checks that work does not block the event loop, and returns the result of its last run.
 *
 * The check passes if, in one of up to three runs, no turn takes longer than the bound. A full garbage collection can make any turn longer, and so
 * can a host that runs other virtual machines at the same time. Work that blocks the event loop blocks it in each run.
 *
 * @param what names the work in the error
 * @param boundMs milliseconds of processor time, on the machine that bounds are for (`slowness`)
 * @param work gets the number of its run, from 0
 * @param besidesMs additional time that a turn may take, in milliseconds on this machine; measured only when needed
 */
export async function assertBriefTurns<T>(
  what: string,
  boundMs: number,
  work: (run: number) => Promise<T>,
  besidesMs = () => 0,
): Promise<T> {
  const turns: string[] = []
  for (let run = 0; ; run++) {
    const { result, ms } = await longestTurnMs(() => work(run))
    if (process.env['SHOW']) console.log(`${ms.toFixed(0).padStart(5)} ms ${what}`)
    if (ms <= boundMs) return result
    // Measured only now, because it takes 20 ms.
    const slower = slowness()
    if (ms <= boundMs * slower + besidesMs()) return result
    turns.push(`${ms} ms on a machine ${slower} times slower than usual`)
    assert.ok(turns.length < maxRuns, `${what}: ${turns.join(', ')}`)
  }
}

/** Megabytes of JSON that a core writes and reads again per second, on the machine for which bounds in milliseconds are set. */
const usualSpeed = 250

/**
 * How many times slower than that machine this one is now; at least 1. Bounds in milliseconds are multiplied by it.
 *
 * If many virtual machines share one real machine, its speed changes by a factor of three within an hour.
 */
function slowness(): number {
  const began = process.threadCpuUsage()
  let bytes = 0
  for (;;) {
    for (let i = 0; i < 20; i++) bytes += writeAndReadJson()
    const { user, system } = process.threadCpuUsage(began)
    const us = user + system
    if (us > 20_000) return Math.max(1, usualSpeed / (bytes / us))
  }
}
