/** What the processor needs for some work, in milliseconds, whatever else the machine has to do; and what the work returns. */
export function cpuMs<T>(work: () => T): { result: T; tookMs: number } {
  const before = process.cpuUsage()
  const result = work()
  const { user, system } = process.cpuUsage(before)
  return { result, tookMs: (user + system) / 1_000 }
}
