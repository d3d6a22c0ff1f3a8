/** Returns the processor time of some work in milliseconds, independent of other load on the machine, and the result of the work. */
export function cpuMs<T>(work: () => T): { result: T; tookMs: number } {
  const before = process.cpuUsage()
  const result = work()
  const { user, system } = process.cpuUsage(before)
  return { result, tookMs: (user + system) / 1_000 }
}
