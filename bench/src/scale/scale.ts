import { setTimeout as delay } from 'node:timers/promises'
import type { ResourceRecord } from '@zonewright/dns'
import { startWorld, type World } from '@zonewright/system-tests/world'
import pg from 'pg'
import { LeanClient } from '../lean-client.ts'
import { type Bar, type Figure, median } from '../report.ts'
import { makeKeys } from '../writer.ts'
import { fill } from './fill.ts'
import { Transfers } from './transfers.ts'

const sizes = [1, 10, 100] as const
/** Zones that exist before it is filled. */
const smallZones = 10
const rounds = 5
const callsARound = 40
/** The time between two calls. By then, the follow-up work of a change (its announcement, transfers, its event) is done, at every size. */
const gapMs = 25
const checkSeconds = 20

/** The operations whose cost is compared. Each is a call that must succeed. */
interface Operation {
  readonly name: string
  /** The most that the longest page or change may take at ×100, in milliseconds. */
  readonly mostMs?: number
  /** The most that an operation may cost at ×100, relative to ×1. */
  readonly mostRatio: number
  call(n: number): Promise<void>
}

/**
 * What a change costs in an installation of ten zones; what the main operations cost in one of 1,000 zones, of 10,000 and of 100,000, with as
 * many times the records, webhook endpoints and orders; and how many delegations one worker checks.
 */
export async function scale(): Promise<Figure[]> {
  const world = await startWorld({ postgresSettings: { shared_preload_libraries: 'pg_stat_statements' } })
  const client = new pg.Client({ connectionString: world.ownerUrl })
  // It ends together with the world's PostgreSQL.
  client.on('error', () => undefined)
  await client.connect()
  await client.query('create extension if not exists pg_stat_statements')
  try {
    const email = 'scale@zonewright.test'
    const { id: accountId } = JSON.parse(await world.admin('account', 'create', email)) as { id: string }
    const others = Array.from({ length: smallZones - 2 }, (_, i) => `other${i}.test`) // and the demo account's
    await world.admin('zone', 'add', email, 'changed.test', ...others)
    const keys = await makeKeys(world, email, 60)
    const http = new LeanClient(world.facts.base_url)
    const transfers = Transfers.from(world)
    const called = operationsOf(world, http, keys)
    const operations: typeof called = [...called, ...transfersOf(transfers, http, keys)]
    const taken = new Map<string, number[][]>(operations.map(({ name }) => [name, []]))
    const looks: number[][] = []
    await samplesOf(operations[0], 1) // warm up
    const amongTen = await samplesOf(operations[0], rounds)
    let before = 0
    for (const times of sizes) {
      await fill(client, accountId, before, times)
      before = times
      for (const operation of operations) {
        await samplesOf(operation, 1) // warm up: plans are made, pages are read
        taken.get(operation.name)?.push(await samplesOf(operation, rounds))
      }
      looks.push(await looksMs(client))
    }
    const checks = await checksAnHour(client)
    http.close()
    transfers.close()
    return [
      figureBesideTen(operations[0], amongTen, taken.get(operations[0].name)?.at(-1) ?? []),
      ...operations.flatMap((operation) => figuresOf(operation, taken.get(operation.name) ?? [])),
      ...figuresOf({ name: 'a look for delegation checks that are due', mostRatio: 2 }, looks),
      {
        name: 'delegation checks of one worker',
        unit: 'an hour',
        value: checks,
        samples: [checks],
        bar: { kind: 'at least', value: 100_000 },
      },
    ]
  } finally {
    await world.stop()
  }
}

/** The change of a record comes first. */
function operationsOf(world: World, http: LeanClient, keys: readonly string[]): [Operation, ...Operation[]] {
  let calls = 0
  const call = async (method: string, path: string, body = '', key?: string): Promise<void> => {
    const status = await http.request(method, `/api/v1${path}`, key ?? keys[calls++ % keys.length] ?? '', body)
    if (status >= 300) throw new Error(`${method} ${path} was answered ${status}`)
  }
  let changes = 0
  const change = (): string =>
    JSON.stringify({ ttl: 300, records: [`10.0.${(++changes >> 8) & 255}.${changes & 255}`] })
  return [
    {
      name: 'a change of a record',
      mostRatio: 1.25,
      call: () => call('PUT', '/zones/changed.test/rrsets/www/A', change()),
    },
    { name: 'a page of the list of zones', mostMs: 15, mostRatio: 2, call: () => call('GET', '/zones?limit=50') },
    { name: 'a page of the list of orders', mostMs: 15, mostRatio: 2, call: () => call('GET', '/orders?limit=50') },
    {
      name: 'a webhook, from the call until it was answered',
      mostRatio: 1.5,
      call: () => call('POST', `/webhooks/${world.facts.webhook.id}/test`, '', world.facts.api_key),
    },
  ]
}

/** The queries of nameservers to the primary, over a separate connection. */
function transfersOf(transfers: Transfers, http: LeanClient, keys: readonly string[]): Operation[] {
  let changes = 0
  let soa: ResourceRecord | undefined
  return [
    {
      name: 'a signed transfer of a zone of ten records (AXFR)',
      mostRatio: 1.25,
      call: async (n) => void (await transfers.whole(`scale${(n % 1_000) + 1}.test`)),
    },
    {
      name: 'a change of a record and its signed transfer (IXFR)',
      mostRatio: 1.25,
      call: async () => {
        soa ??= await transfers.whole('scale1.test')
        const key = keys[++changes % keys.length] ?? ''
        const body = JSON.stringify({ ttl: 300, records: [`10.1.${(changes >> 8) & 255}.${changes & 255}`] })
        const status = await http.request('PUT', '/api/v1/zones/scale1.test/rrsets/h1/A', key, body)
        if (status >= 300) throw new Error(`a change was answered ${status}`)
        soa = await transfers.since(soa)
      },
    },
  ]
}

/** Medians of this many rounds, in milliseconds. */
async function samplesOf({ call, name }: Operation, count: number): Promise<number[]> {
  const samples: number[] = []
  // The demo account's only key can make 300 requests a minute.
  const calls = name.startsWith('a webhook') ? 8 : callsARound
  for (let round = 0; round < count; round++) {
    const took: number[] = []
    for (let n = 0; n < calls; n++) {
      await delay(gapMs)
      const startedMs = performance.now()
      await call(n + round * calls)
      took.push(performance.now() - startedMs)
    }
    samples.push(median(took))
  }
  return samples
}

/** The time that the worker's own queries for due delegation checks take in PostgreSQL, one sample each, in an idle installation. */
async function looksMs(client: pg.Client): Promise<number[]> {
  const looks: number[] = []
  for (let round = 0; round < rounds; round++) looks.push(await nextLookMs(client))
  return looks
}

async function nextLookMs(client: pg.Client): Promise<number> {
  await client.query('select pg_stat_statements_reset()')
  for (const deadline = performance.now() + 20_000; performance.now() < deadline; ) {
    await delay(100)
    const { rows } = await client.query<{ mean: number | null }>(
      `select (sum(total_exec_time) / sum(calls))::float8 as mean from pg_stat_statements
       where query like '%zone_delegations%' and query like '%min(due_at)%'`,
    )
    const mean = rows[0]?.mean ?? undefined
    if (mean !== undefined) return mean
  }
  throw new Error('the worker did not look for delegation checks')
}

/** All zones are due at once: how many one worker checks in some seconds, with a registry that answers its queries. */
async function checksAnHour(client: pg.Client): Promise<number> {
  await client.query(
    `update zone_delegations set due_at = app_now() - interval '1 second', asked_at = null where due_at is not null`,
  )
  const asked = async (): Promise<number> => {
    const { rows } = await client.query<{ asked: number }>('select count(asked_at)::int as asked from zone_delegations')
    return rows[0]?.asked ?? 0
  }
  const [from, fromMs] = [await asked(), performance.now()]
  await new Promise((resolve) => setTimeout(resolve, checkSeconds * 1_000))
  return Math.round(((await asked()) - from) / ((performance.now() - fromMs) / 3_600_000))
}

/** The cost of the operation at ×100, compared with its cost with ten zones. */
function figureBesideTen(
  { name, mostRatio }: Operation,
  amongTen: readonly number[],
  hundred: readonly number[],
): Figure {
  const few = `${smallZones} zones`
  const [value, base] = [median(hundred), median(amongTen)]
  return {
    ...{ name: `${name}, at ×100`, unit: 'ms', value, samples: hundred },
    bar: { kind: 'at most', value: mostRatio, against: few },
    beside: [{ name: few, value: base, ratio: value / base }],
  }
}

function figuresOf(
  { name, mostMs, mostRatio }: Pick<Operation, 'name' | 'mostRatio'> & { readonly mostMs?: number },
  taken: readonly (readonly number[])[],
): Figure[] {
  const [one = [], ten = [], hundred = []] = taken
  const base = median(one)
  const beside = [
    { name: '×1', value: base, ratio: median(hundred) / base },
    { name: '×10', value: median(ten), ratio: median(hundred) / median(ten) },
  ]
  const own = { unit: 'ms', value: median(hundred), samples: hundred }
  const ratioBar: Bar = { kind: 'at most', value: mostRatio, against: '×1' }
  return [
    { name: `${name}, at ×100`, ...own, bar: ratioBar, beside },
    ...(mostMs === undefined
      ? []
      : [{ name: `${name}, at ×100`, ...own, bar: { kind: 'at most', value: mostMs } as Bar }]),
  ]
}
