import pg from 'pg'
import type { Figure } from '../report.ts'
import { type HooksWorld, startHooksWorld } from './hooks-world.ts'
import { counting, measureIdle } from './idle.ts'

const idleSeconds = 30
const retries = { endpoints: 2_000, each: 500 }
const load = { endpoints: 500, perSecond: 200 }
/** Ten minutes, or the number of seconds in the environment variable. */
const loadSeconds = Number(process.env['BENCH_LOAD_SECONDS'] ?? 600)
const snapshotSeconds = 30

/** The work of an idle installation, and the cost of a claim with a million retries in the table. */
export async function webhooksBacklog(): Promise<Figure[]> {
  const hooks = await startHooksWorld({ hosts: 100, settings: counting })
  try {
    await new Promise((resolve) => setTimeout(resolve, 15_000)) // the follow-up work of a start is done
    const idle = await measureIdle(hooks, idleSeconds)
    await fillRetries(hooks)
    const claims = await measureClaims(hooks)
    return [
      figure('idle: statements of a whole installation', 'a second', idle.queriesASecond, 20),
      figure('idle: CPU of a whole installation, of one core', '%', idle.cpuPercent, 1),
      figure(
        `claim with ${retries.endpoints * retries.each} retries in the table, after ${loadSeconds} s of load, a ${snapshotSeconds} s old snapshot open, p50`,
        'ms',
        claims,
        5,
      ),
    ]
  } finally {
    await hooks.stop()
  }
}

function figure(name: string, unit: string, value: number, atMost: number): Figure {
  return { name, unit, value, bar: { kind: 'at most', value: atMost }, samples: [value] }
}

/** A million deliveries that have failed once and are retried within the day, some of them at any time. */
async function fillRetries({ addAccounts, endpoints, publisher }: HooksWorld): Promise<void> {
  const before = endpoints.length
  await addAccounts(retries.endpoints / 10, { endpointsEach: 10 })
  const ids = endpoints.slice(before).map(({ id }) => id)
  await publisher.query(
    `with day as (select (app_now() at time zone 'utc')::date as day),
    made as (
      insert into events (event_day, id, type, recipients, created_at, body, position)
      select day, new_id('evt', app_now()), 'zone.deleted', '{}', app_now(), '{}', nextval('event_positions')
      from day, generate_series(1, $1::int)
      returning event_day, id, type, position
    )
    insert into webhook_queue (endpoint_id, position, event_day, delivery_id, event_id, event_type, attempts, retry_at)
    select endpoint, position, event_day, new_id('dlv', app_now()), id, type, 1, app_now() + random() * interval '24 hours'
    from made, unnest($2::text[]) as endpoint`,
    [retries.each, ids],
  )
  await publisher.query(
    `insert into webhook_deliveries (event_day, id, endpoint_id, event_id, event_type, position, status, attempts, requests)
    select event_day, delivery_id, endpoint_id, event_id, event_type, position, 'pending', 1, 1 from webhook_queue
    where endpoint_id = any ($1)`,
    [ids],
  )
  await publisher.query(`
    update webhook_lanes l set due_at = first.retry_at, struggling = true, failing_since = app_now(),
      placed_after = (select last_value from event_positions)
    from (select endpoint_id, min(retry_at) as retry_at from webhook_queue group by 1) first where l.endpoint_id = first.endpoint_id`)
}

/** The median duration of claims during the last `snapshotSeconds` of the load, from the service's own metrics. */
async function measureClaims(hooks: HooksWorld): Promise<number> {
  const accounts = await hooks.addAccounts(load.endpoints)
  const loading = hooks.publisher.steadily(accounts, { ...load, seconds: loadSeconds })
  const old = new pg.Client({ connectionString: hooks.world.databaseUrl })
  await old.connect()
  const end = performance.now() + loadSeconds * 1_000
  let before = await claimBuckets(hooks)
  for (; performance.now() < end - snapshotSeconds * 1_000 || before.size === 0; ) {
    await old.query('begin isolation level repeatable read')
    await old.query('select 1')
    before = await claimBuckets(hooks)
    await new Promise((resolve) => setTimeout(resolve, snapshotSeconds * 1_000))
    if (performance.now() < end - snapshotSeconds * 1_000) await old.query('rollback')
  }
  const after = await claimBuckets(hooks)
  await old.end()
  await loading
  return medianOf(new Map([...after].map(([le, count]) => [le, count - (before.get(le) ?? 0)])))
}

/** Upper bounds in seconds, and the number of claims up to each bound so far. */
async function claimBuckets({ world }: HooksWorld): Promise<Map<number, number>> {
  const text = await (await fetch(`${world.facts.base_url}/metrics`)).text()
  const lines = text.matchAll(/^webhook_claim_seconds_bucket\{le="([^"]+)"\} (\d+)$/gm)
  return new Map(
    [...lines].map(([, le, count]) => [le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le), Number(count)]),
  )
}

/** In milliseconds; values between two bounds are interpolated. */
function medianOf(buckets: ReadonlyMap<number, number>): number {
  const half = (buckets.get(Number.POSITIVE_INFINITY) ?? 0) / 2
  let [lower, below] = [0, 0]
  for (const [le, count] of buckets) {
    if (count >= half) return (lower + ((le - lower) * (half - below)) / Math.max(1, count - below)) * 1_000
    ;[lower, below] = [le, count]
  }
  return Number.NaN
}
