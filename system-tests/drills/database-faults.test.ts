// A whole installation under 40 changes and 40 reads a second, on a PostgreSQL that hangs, runs out of disk and freezes. Mounts a small disk, so
// it runs as root.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { after, type TestContext, test } from 'node:test'
import { startEmbeddedPostgres } from '@zonewright/service/embedded-postgres'
import { createLogger } from '@zonewright/service/log'
import pg from 'pg'
import { eventually, startWorld } from '../world/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'zonewright-drill-'))
const disk = join(folder, 'disk')
mkdirSync(disk)
// PostgreSQL runs as another user.
chmodSync(folder, 0o755)
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', disk])
// Also if the tests do not begin.
process.on('exit', () => {
  execFileSync('umount', ['--lazy', disk])
  rmSync(folder, { recursive: true })
})
const postgres = await startEmbeddedPostgres(folder, createLogger('drill', 'silent'))
const owner = new pg.Client({ connectionString: postgres.url })
await owner.connect()
// All of the database except its log is on the small disk.
const { uid, gid } = statSync(`/proc/${postgres.pid}`)
chownSync(disk, uid, gid)
await owner.query(`create tablespace small location '${disk}'`)
await owner.query(`create database drill tablespace small template template0`)
const databaseUrl = postgres.url.replace(/\/zonewright$/, '/drill')
// All requests come from one address, and wait while PostgreSQL is frozen.
const world = await startWorld({ databaseUrl, env: { CONNECTIONS_PER_ADDRESS: '9999' } })
after(async () => {
  await world.stop()
  await owner.end()
  await postgres.stop()
  await postgres.erase()
})
const { facts } = world

interface Answer {
  readonly status: number
  readonly at: number
  readonly tookMs: number
  readonly retryAfter: string | null
}

/** Sends this many requests a second, whether or not earlier ones are answered. */
function every(ms: number, ask: () => Promise<Response>): { readonly answers: Answer[]; stop(): Promise<void> } {
  const answers: Answer[] = []
  const open = new Set<Promise<void>>()
  const timer = setInterval(() => {
    const sentMs = performance.now()
    const answer = ask()
      .then(async (response) => {
        await response.arrayBuffer()
        const { status, headers } = response
        answers.push({
          status,
          at: Date.now(),
          tookMs: performance.now() - sentMs,
          retryAfter: headers.get('retry-after'),
        })
      })
      .catch(() => {
        answers.push({ status: 0, at: Date.now(), tookMs: performance.now() - sentMs, retryAfter: null })
      })
      .finally(() => open.delete(answer))
    open.add(answer)
  }, ms)
  return {
    answers,
    stop: async () => {
      clearInterval(timer)
      await Promise.all(open)
    },
  }
}

// A key may make 300 requests a minute.
const made = await world.admin('key', 'create', facts.account.email, 'many', '--copies', '40')
const keys = (JSON.parse(made) as { secret: string }[]).map(({ secret }) => secret)
let calls = 0
const authorization = (): string => `Bearer ${keys[calls++ % keys.length]}`
const zone = `${facts.base_url}/api/v1/zones/${facts.zone.name}`
let number = 0
const text = 'x'.repeat(200)

function startLoad() {
  return {
    puts: every(25, () =>
      fetch(`${zone}/rrsets/drill${number++ % 1_000}/TXT`, {
        method: 'PUT',
        headers: { authorization: authorization(), 'content-type': 'application/json' },
        body: JSON.stringify({ records: Array.from({ length: 10 }, (_, i) => `"${number} ${i} ${text}"`) }),
        signal: AbortSignal.timeout(10_000),
      }),
    ),
    gets: every(25, () =>
      fetch(zone, { headers: { authorization: authorization() }, signal: AbortSignal.timeout(10_000) }),
    ),
    ready: every(50, () => fetch(`${facts.base_url}/readyz`, { signal: AbortSignal.timeout(10_000) })),
  }
}

let since = 0
const writes = async (): Promise<string> => {
  const response = await fetch(`${facts.base_url}/readyz`)
  if (!response.ok) {
    since = Date.now()
    return `${response.status}`
  }
  const body = (await response.json()) as { writes: string; since: string }
  since = Date.parse(body.since)
  return body.writes
}

function countOf(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** The time within which this share of the requests was answered, in milliseconds. */
function withinMs(answers: readonly Answer[], share: number): number {
  const sorted = answers.map(({ tookMs }) => tookMs).sort((a, b) => a - b)
  return Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0)
}

/** Runs a fault under load: `end` is called ten seconds after `/readyz` has reported the fault. */
async function underLoad(
  t: TestContext,
  { begin, says, end }: { begin: () => Promise<void> | void; says: string; end: () => Promise<void> | void },
) {
  await eventually('all is well', async () => (await writes()) === 'ok')
  // The measured times include the delays of this process, which sends the load.
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  const load = startLoad()
  await eventually('changes are made', async () => load.puts.answers.length > 40)
  await begin()
  await eventually(`writes: ${says}`, async () => (await writes()) === says)
  const toldMs = since - Math.max(...load.puts.answers.filter(({ status }) => status < 300).map(({ at }) => at))
  const told = load.puts.answers.length
  await eventually('more writes fail', async () => load.puts.answers.length - told > 400)
  await end()
  const endedMs = performance.now()
  await eventually('all is well', async () => (await writes()) === 'ok')
  const recoveredMs = performance.now() - endedMs
  const recovered = load.puts.answers.length
  await eventually('changes are made', async () =>
    load.puts.answers.slice(recovered).some(({ status }) => status < 300),
  )
  for (const each of Object.values(load)) await each.stop()
  delays.disable()
  const delayedMs = (percent: number) => Math.round(delays.percentile(percent) / 1e6)
  const longest = (answers: readonly Answer[]) => withinMs(answers, 1)
  const { puts, gets, ready } = load
  const summary = `${says} ${toldMs} ms after the last change, ok ${Math.round(recoveredMs)} ms after its end; PUT ${JSON.stringify(countOf(puts.answers))}, at most ${longest(puts.answers)} ms; GET ${JSON.stringify(countOf(gets.answers))}, at most ${longest(gets.answers)} ms; /readyz ${JSON.stringify(countOf(ready.answers))}, half within ${withinMs(ready.answers, 0.5)} ms, 95 % within ${withinMs(ready.answers, 0.95)} ms, at most ${longest(ready.answers)} ms; the delays of the load itself are ${delayedMs(50)} ms, for 95 % at most ${delayedMs(95)} ms, at most ${delayedMs(100)} ms`
  t.diagnostic(summary)
  process.stdout.write(`${summary}\n`)
  return { puts: puts.answers, gets: gets.answers, ready: ready.answers, toldMs, summary }
}

/** Each request gets a response that says when to retry. */
function assertTold(answers: readonly Answer[], summary: string): void {
  for (const { status, retryAfter } of answers) {
    assert.ok((status > 0 && status < 300) || status === 503, summary)
    if (status === 503) assert.ok(Number(retryAfter) > 0, summary)
  }
}

async function set(setting: string, value: string): Promise<void> {
  await owner.query(`alter system set ${setting} = '${value}'`)
  await owner.query('select pg_reload_conf()')
}

test('while commits hang, /readyz reports it within 2.5 s, reads continue, and writes get 503', async (t) => {
  const { puts, gets, ready, toldMs, summary } = await underLoad(t, {
    begin: () => set('synchronous_standby_names', 'nobody'),
    says: 'hang',
    end: () => set('synchronous_standby_names', ''),
  })
  assert.ok(toldMs < 2_500, summary)
  assertTold([...puts, ...gets], summary)
  assert.deepEqual(Object.keys(countOf(ready)), ['200'], summary)
  assert.ok((countOf(gets)['200'] ?? 0) / gets.length > 0.9, summary)
})

test('while the disk is full, /readyz reports it, reads continue, and writes get 503', async (t) => {
  const filler = join(disk, 'filler')
  const { puts, gets, ready, summary } = await underLoad(t, {
    begin: () => {
      try {
        writeFileSync(filler, Buffer.alloc(200 << 20))
      } catch {
        // The disk is full.
      }
    },
    says: 'disk_full',
    end: () => rmSync(filler),
  })
  assertTold([...puts, ...gets], summary)
  assert.deepEqual(Object.keys(countOf(ready)), ['200'], summary)
  assert.ok((countOf(gets)['200'] ?? 0) / gets.length > 0.9, summary)
})

test('while PostgreSQL is frozen, /readyz answers at once', async (t) => {
  const pids = () => [
    postgres.pid,
    ...execFileSync('ps', ['-o', 'pid=', '--ppid', `${postgres.pid}`], { encoding: 'utf8' })
      .trim()
      .split(/\s+/)
      .map(Number),
  ]
  let frozen: number[] = []
  const { ready, summary } = await underLoad(t, {
    begin: () => {
      frozen = pids()
      for (const pid of frozen) process.kill(pid, 'SIGSTOP')
    },
    says: '503',
    end: () => {
      for (const pid of frozen) process.kill(pid, 'SIGCONT')
    },
  })
  const times = ready.map(({ tookMs }) => tookMs).sort((a, b) => a - b)
  // On an idle machine, all of them.
  assert.ok((times[Math.floor(times.length / 2)] ?? 0) < 50, summary)
  assert.ok((times.at(-1) ?? 0) < 1_000, summary)
})
