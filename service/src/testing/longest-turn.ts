/**
 * Does work, and tells the longest that one turn of the event loop took meanwhile, in milliseconds of this thread's processor time.
 *
 * Not by the clock: on a machine with other work, that would measure the others.
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
