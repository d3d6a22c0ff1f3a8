import { writeAndReadJson } from './json-work.ts'

/**
 * Runs work, and returns the duration of the longest turn of the event loop in the meantime, in milliseconds of this thread's processor time.
 *
 * The clock is not used, because it would also measure other work on the machine.
 */
export async function longestTurnMs<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly ms: number }> {
  let longestUs = 0
  let isOver = false
  let before = process.threadCpuUsage()
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(before)
    longestUs = Math.max(longestUs, user + system)
    before = process.threadCpuUsage()
    // Soon enough to see every long turn, and not so often that this itself takes a processor.
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

/** Megabytes of JSON that a core writes and reads again in a second, on the machine that bounds in milliseconds are for. */
const usualSpeed = 250

/**
 * How many times slower than that machine this one is at the moment; at least 1. Bounds in milliseconds are multiplied by it.
 *
 * Where many virtual machines share one real one, its speed changes by three times within an hour.
 */
export function slowness(): number {
  const began = process.threadCpuUsage()
  let bytes = 0
  for (;;) {
    for (let i = 0; i < 20; i++) bytes += writeAndReadJson()
    const { user, system } = process.threadCpuUsage(began)
    const us = user + system
    if (us > 20_000) return Math.max(1, usualSpeed / (bytes / us))
  }
}
