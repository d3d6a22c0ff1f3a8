/**
 * How many milliseconds of processor time `work` took, whatever else the machine has to do; for tests that bound it. Has no
 * tests of its own.
 */
export function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
