/**
 * Returns by how many bytes the heap grows while something runs, as the median of several runs. The first runs are not compiled yet, and
 * sometimes the compiler or the garbage collector interferes.
 */
export function heapGrowth(run: () => void): number {
  const grown = Array.from({ length: 11 }, () => {
    const before = process.memoryUsage().heapUsed
    run()
    return process.memoryUsage().heapUsed - before
  })
  return grown.sort((one, other) => one - other)[5] ?? 0
}
