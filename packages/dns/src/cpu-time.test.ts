/** How many milliseconds of processor time `work` took, independent of other load on the machine, for tests that limit it. Contains no tests. */
export function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
