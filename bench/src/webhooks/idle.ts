import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { HooksWorld } from './hooks-world.ts'

/** For `postgresSettings`: what `queriesASecond` counts with. */
export const counting = { shared_preload_libraries: 'pg_stat_statements' }

const ticksASecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** Statements per second of an idle installation, and the share of one core that all its processes use. */
export async function measureIdle(
  { world, publisher }: HooksWorld,
  seconds: number,
): Promise<{ queriesASecond: number; cpuPercent: number }> {
  await publisher.query('create extension if not exists pg_stat_statements')
  await publisher.query('select pg_stat_statements_reset()')
  const pids = pidsOf(world)
  const before = cpuSeconds(pids)
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
  const cpuPercent = ((cpuSeconds(pids) - before) / seconds) * 100
  const [row] = await publisher.query<{ calls: number }>(
    "select sum(calls)::int as calls from pg_stat_statements where query not like '%pg_stat_statements%'",
  )
  return { queriesASecond: (row?.calls ?? 0) / seconds, cpuPercent }
}

/** The installation's processes with all their descendants, because PostgreSQL has many processes. */
function pidsOf({ programs, postgres }: HooksWorld['world']): number[] {
  const roots = [...Object.values(programs).map(({ pid }) => pid), postgres?.pid].filter((pid) => pid !== undefined)
  const lines = execFileSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const parents = lines.map((line) => line.trim().split(/\s+/).map(Number) as [number, number])
  const found = new Set(roots)
  for (let size = 0; size < found.size; ) {
    size = found.size
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid)
  }
  return [...found]
}

/** User and system time so far (proc(5), /proc/pid/stat); zero for a process that has ended in the meantime. */
function cpuSeconds(pids: readonly number[]): number {
  const ticks = pids.map((pid) => {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
      return Number(fields[11]) + Number(fields[12])
    } catch {
      return 0
    }
  })
  return ticks.reduce((sum, one) => sum + one, 0) / ticksASecond
}
