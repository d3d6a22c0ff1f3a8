import { type Figure, median } from '../report.ts'
import { runProgram } from '../run-program.ts'
import { type HooksWorld, startHooksWorld, waitUntil } from './hooks-world.ts'
import { measureLatencies } from './latency.ts'

const rounds = 3
const latency = { endpoints: 500, perSecond: 200, seconds: 10 }
/** Events that are committed together while the rate is measured. */
const fedTogether = 50
const rate = { accounts: 200, endpointsEach: 10, hosts: 500, seconds: 10 }

/**
 * How soon an event is at its receiver, and how many deliveries a second a whole installation makes: PostgreSQL, workers and
 * receivers on one machine, durable commits, every receiver on TLS, the address guard on.
 */
export async function webhooks(): Promise<Figure[]> {
  const hooks = await startHooksWorld({ hosts: rate.hosts })
  try {
    const accounts = await hooks.addAccounts(latency.endpoints)
    await measureLatencies(hooks, accounts, { ...latency, seconds: 8 }) // warm: code compiled, connections made
    const latencies = []
    for (let round = 0; round < rounds; round++) latencies.push(await measureLatencies(hooks, accounts, latency))
    const rates = await measureRates(hooks)
    await waitUntil(
      'the rest is delivered',
      async () =>
        (await hooks.publisher.query('select 1 from webhook_queue where retry_at is null limit 1')).length === 0,
      60,
    )
    const alone = await undiciAlone(hooks)
    const [p50s, p95s] = [latencies.map(({ p50Ms }) => p50Ms), latencies.map(({ p95Ms }) => p95Ms)]
    const about = `${latency.perSecond} events a second over ${latency.endpoints} endpoints`
    return [
      {
        name: `commit → received, ${about}, p50`,
        unit: 'ms',
        value: median(p50s),
        bar: { kind: 'at most', value: 25 },
        samples: p50s,
      },
      {
        name: `commit → received, ${about}, p95`,
        unit: 'ms',
        value: median(p95s),
        bar: { kind: 'at most', value: 60 },
        samples: p95s,
      },
      {
        name: `sustained deliveries to ${rate.accounts * rate.endpointsEach} endpoints on ${rate.hosts} host names`,
        unit: 'a second',
        value: median(rates),
        bar: { kind: 'at least', value: 2_500 },
        beside: [{ name: 'undici alone', value: alone, ratio: median(rates) / alone }],
        samples: rates,
      },
    ]
  } finally {
    await hooks.stop()
  }
}

/** Keeps more waiting than can be sent, and counts what arrives. */
async function measureRates(hooks: HooksWorld): Promise<number[]> {
  const { publisher, received } = hooks
  const accounts = await hooks.addAccounts(rate.accounts, { endpointsEach: rate.endpointsEach })
  const all = rate.accounts * rate.endpointsEach
  let feeding = true
  const feed = async (): Promise<void> => {
    for (let i = 0; feeding; ) {
      const [row] = await publisher.query<{ waiting: number }>(
        `select (select count(*) from webhook_queue)::int + (select count(*) from event_outbox)::int * $1 as waiting`,
        [rate.endpointsEach],
      )
      if ((row?.waiting ?? 0) > all * 3) await new Promise((resolve) => setTimeout(resolve, 10))
      else await publisher.publish(accounts.slice(i, i + fedTogether))
      i = (i + fedTogether) % accounts.length
    }
  }
  const fed = feed()
  try {
    const start = received.length
    await waitUntil('every endpoint has got something', () => received.length > start + all * 5, 60) // warm: every connection made
    const rates: number[] = []
    for (let round = 0; round < rounds; round++) {
      const [before, began] = [received.length, performance.now()]
      await new Promise((resolve) => setTimeout(resolve, rate.seconds * 1_000))
      rates.push(((received.length - before) * 1_000) / (performance.now() - began))
    }
    return rates
  } finally {
    feeding = false
    await fed
  }
}

async function undiciAlone({ world, receivers }: HooksWorld): Promise<number> {
  const caFile = world.env['WEBHOOK_CA_FILE'] ?? ''
  const args = [caFile, receivers.port, rate.accounts * rate.endpointsEach, rate.hosts, 8].map(String)
  return await runProgram<number>(new URL('./floor.ts', import.meta.url), args)
}
