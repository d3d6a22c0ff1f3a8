import { readdirSync, readFileSync } from 'node:fs'

/** The unit of the kernel (`getconf CLK_TCK`): 100 on every Linux that Node.js runs on. */
const ticksPerSecond = 100

/** Processor time of a process in seconds: all its threads, its children, and children that have ended. */
export function cpuSeconds(pid: number): number {
  const ticks = treeOf(pid).map((each, index) => {
    // After the command in parentheses: utime, stime, and those of awaited children, from the 12th field on.
    const [user = 0, system = 0, deadUser = 0, deadSystem = 0] = statOf(each).slice(11, 15).map(Number)
    return user + system + (index === 0 ? deadUser + deadSystem : 0)
  })
  return ticks.reduce((sum, each) => sum + each, 0) / ticksPerSecond
}

/** The same for several processes; those that were not started used none. */
export function cpuSecondsOf(pids: readonly (number | undefined)[]): number {
  return pids.reduce<number>((sum, pid) => sum + (pid === undefined ? 0 : cpuSeconds(pid)), 0)
}

/**
 * Time in seconds that a core was not idle. For a server whose processes come and go, such as NSD at each reload, because the time of ended
 * processes is counted nowhere else.
 */
export function coreSeconds(core: number): number {
  const line = new RegExp(`^cpu${core} (.*)$`, 'm').exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? ''
  // user nice system idle iowait irq softirq
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = line.split(' ').map(Number)
  return (user + nice + system + irq + softirq) / ticksPerSecond
}

/** Memory of a process and its children in bytes; shared memory is counted once. */
export function memoryBytes(pid: number): number {
  const kibibytes = treeOf(pid).map((each) => {
    const rollup = readOrNothing(`/proc/${each}/smaps_rollup`)
    return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0)
  })
  return kibibytes.reduce((sum, each) => sum + each, 0) * 1024
}

/** The process and its current descendants. */
function treeOf(pid: number): number[] {
  const parents = new Map<number, number>()
  for (const entry of readdirSync('/proc')) {
    if (/^\d+$/.test(entry)) parents.set(Number(entry), Number(statOf(Number(entry))[1] ?? 0))
  }
  const tree = [pid]
  for (const above of tree) for (const [child, parent] of parents) if (parent === above) tree.push(child)
  return tree
}

/** The fields of /proc/PID/stat from the third on, because the earlier ones can contain any character. */
function statOf(pid: number): string[] {
  const stat = readOrNothing(`/proc/${pid}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** A process can end at any time. */
function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
