import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@zonewright/service/embedded-postgres'
import { createLogger } from '@zonewright/service/log'
import { type TcpProxy, tcpProxy } from '@zonewright/service/tcp-proxy'
import { startWorld } from '@zonewright/system-tests/world'
import { withDatabase } from './database.ts'
import { LeanClient } from './lean-client.ts'
import { type Figure, median, type Peer } from './report.ts'
import { type HooksWorld, startHooksWorld, waitUntil } from './webhooks/hooks-world.ts'
import { makeKeys } from './writer.ts'

/** A round trip to PostgreSQL takes twice as long. */
const delayMs = 10
const rounds = 3
const roundMs = 3_000
const warmDeliveries = 100
/** More events than can be delivered while the rate is measured. */
const backlog = { batches: 10, each: 400 }
const puts = { warm: 40, counted: 60 }

/** Deliveries to one endpoint, and changes by one client, with PostgreSQL 20 ms away: what counts is the number of round trips. */
export async function far(): Promise<Figure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'zonewright-far-'))
  const postgres = await startEmbeddedPostgres(dataDir, createLogger('bench', 'warn'))
  const proxy = await tcpProxy(postgres.url, { delayMs })
  try {
    return await measure(proxy)
  } finally {
    await proxy.close()
    await postgres.stop()
    await postgres.erase()
    await rm(dataDir, { recursive: true })
  }
}

async function measure({ url }: TcpProxy): Promise<Figure[]> {
  const hooks = await startHooksWorld({ hosts: 1, start: (options) => startWorld({ ...options, databaseUrl: url }) })
  try {
    const roundTripMs = await withDatabase(url, async (client) => {
      const took = await timesOf(20, () => client.query('select 1'))
      return median(took)
    })
    const away = `PostgreSQL ${delayMs * 2} ms away`
    const [rates, latencies] = [await deliveryRates(hooks), await putLatencies(hooks)]
    const roundTrip = (value: number, its: number): Peer => ({
      name: 'a round trip',
      value: its,
      ratio: value / its,
    })
    return [
      {
        name: `deliveries to one endpoint, ${away}`,
        unit: 'a second',
        value: median(rates),
        bar: { kind: 'at least', value: 100 },
        beside: [{ ...roundTrip(median(rates), 1_000 / roundTripMs), name: 'round trips a second' }],
        samples: rates,
      },
      {
        name: `a PUT of one client, ${away}, p50`,
        unit: 'ms',
        value: median(latencies),
        bar: { kind: 'at most', value: 4, against: 'a round trip' },
        beside: [roundTrip(median(latencies), roundTripMs)],
        samples: latencies,
      },
    ]
  } finally {
    await hooks.stop()
  }
}

/** Deliveries per second to an endpoint that answers at once, while more wait than can be sent. */
async function deliveryRates({ addAccounts, publisher, received }: HooksWorld): Promise<number[]> {
  const [account = ''] = await addAccounts(1)
  for (let batch = 0; batch < backlog.batches; batch++)
    await publisher.publish(Array.from({ length: backlog.each }, () => account))
  await waitUntil('code is compiled', () => received.length >= warmDeliveries, 60)
  const rates: number[] = []
  for (let round = 0; round < rounds; round++) {
    const [before, began] = [received.length, performance.now()]
    await new Promise((resolve) => setTimeout(resolve, roundMs))
    rates.push(((received.length - before) * 1_000) / (performance.now() - began))
  }
  return rates
}

async function putLatencies({ world }: HooksWorld): Promise<number[]> {
  const { facts } = world
  const keys = await makeKeys(world, facts.account.email, 10)
  const client = new LeanClient(facts.base_url)
  let count = 0
  const put = async (): Promise<void> => {
    const body = JSON.stringify({ ttl: 60, records: [`192.0.2.${++count % 250}`] })
    const path = `/api/v1/zones/${facts.zone.name}/rrsets/far/A`
    const status = await client.request('PUT', path, keys[count % keys.length] ?? '', body)
    if (status >= 300) throw new Error(`a PUT was answered with ${status}`)
  }
  await timesOf(puts.warm, put)
  const latencies: number[] = []
  for (let round = 0; round < rounds; round++) latencies.push(median(await timesOf(puts.counted, put)))
  client.close()
  return latencies
}

async function timesOf(times: number, work: () => Promise<unknown>): Promise<number[]> {
  const took: number[] = []
  for (let i = 0; i < times; i++) {
    const began = performance.now()
    await work()
    took.push(performance.now() - began)
  }
  return took
}
