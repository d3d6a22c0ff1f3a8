/**
 * By how many bytes the heap grows while something runs: the middle one of several runs. The first are not compiled yet, and now and
 * then the compiler or the collector comes between.
 */
export function heapGrowth(run: () => void): number {
  const grown = Array.from({ length: 11 }, () => {
    const before = process.memoryUsage().heapUsed
    run()
    return process.memoryUsage().heapUsed - before
  })
  return grown.sort((one, other) => one - other)[5] ?? 0
}
