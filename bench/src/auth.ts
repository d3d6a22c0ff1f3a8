import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startWorld, type World } from '@zonewright/system-tests/world'
import pg from 'pg'
import { freeAddresses } from '../../tools/local/addresses.ts'
import { Program } from '../../tools/local/process.ts'
import { LeanClient } from './lean-client.ts'
import { type Bar, type Figure, median } from './report.ts'

const rounds = 5
const requestsPerRound = 1_000
const knownKeys = 1_000
const keyCounts = { few: 5_000, many: 1_000_000 }
const limit = 300

interface Key {
  readonly id: string
  readonly secret: string
}

/**
 * What it costs to know who makes a request, with few keys and with a million, and whether the limit of 300 requests a minute
 * is kept by one process and by two.
 *
 * The cost is told by two routes with the same work behind them, one reading of the database: one is for keys, one for
 * anybody. The API's real server, authentication and limit are in front of them, in a process of their own.
 */
export async function auth(): Promise<Figure[]> {
  const world = await startWorld()
  try {
    const copies = String(knownKeys + 2)
    const made = await world.admin('key', 'create', world.facts.account.email, 'bench', '--copies', copies)
    const [first, second, ...keys] = JSON.parse(made) as [Key, Key, ...Key[]]
    const work = sameWork(world)
    const base = await work.start()
    const { name: zone } = world.facts.zone
    await fillKeys(world, keyCounts.few)
    await measure(base, zone, keys) // warm
    const few = await measure(base, zone, keys)
    await fillKeys(world, keyCounts.many)
    await measure(base, zone, keys)
    const many = await measure(base, zone, keys)
    await work.stop()
    const ratios = many.known.map((ms, i) => ms / (few.known[i] ?? Number.NaN))
    const alone = await admitted([world.facts.base_url], first.secret)
    const together = await admittedByTwo(world, second.secret)
    return [
      figure('a request with a key takes longer than one without, p50', 'ms', few.differences, 'at most', 0.3),
      figure('the same with a million keys', 'ms', many.differences, 'at most', 0.3),
      figure('a request with a million keys, as a share of one with 5,000', '', ratios, 'at most', 1.1),
      figure(
        `requests of a key let in, of ${limit + 100} at once, by one process: at most`,
        '',
        [alone],
        'at most',
        limit,
      ),
      figure(
        `requests of a key let in, of ${limit + 100} at once, by one process: at least`,
        '',
        [alone],
        'at least',
        limit,
      ),
      figure('of 1,000 within a second, by two processes: at most', '', [together], 'at most', limit + 3),
      figure('of 1,000 within a second, by two processes: at least', '', [together], 'at least', limit),
    ]
  } finally {
    await world.stop()
  }
}

function figure(name: string, unit: string, samples: readonly number[], kind: Bar['kind'], value: number): Figure {
  return { name, unit, value: median(samples), bar: { kind, value }, samples }
}

/** The process with the two routes. */
function sameWork(world: World): Program {
  return new Program({
    name: 'same work',
    args: [fileURLToPath(new URL('../../service/src/testing/same-work-program.ts', import.meta.url))],
    env: world.env,
    logFile: join(world.dataDir, 'logs', 'same-work.log'),
  })
}

/** Adds keys that nobody has the secret of, until there are so many. */
async function fillKeys(world: World, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  await client.query(
    `insert into api_keys (id, account_id, name, hint, secret_sha256, all_zones, permissions)
    select 'key_' || md5(n::text || 'id'), (select id from accounts limit 1), 'filler ' || n, 'none', sha256(('filler' || n)::bytea), true, '{records:read}'
    from generate_series((select count(*) from api_keys) + 1, $1) n`,
    [count],
  )
  await client.query('vacuum analyze api_keys')
  await client.end()
}

/** Medians of each round, in milliseconds: of requests with a key, and by how much they are longer than those without. */
async function measure(
  base: string,
  zone: string,
  keys: readonly Key[],
): Promise<{ known: number[]; differences: number[] }> {
  const http = new LeanClient(base)
  const known: number[] = []
  const differences: number[] = []
  for (let round = 0; round < rounds; round++) {
    const withKey: number[] = []
    const without: number[] = []
    for (let i = 0; i < requestsPerRound; i++) {
      const { id, secret } = keys[i % keys.length] as Key
      withKey.push(await timed(http, `/api/v1/zones/${zone}/for-keys/${id}`, secret))
      without.push(await timed(http, `/api/v1/zones/${zone}/for-anybody/${id}`, secret))
    }
    known.push(median(withKey))
    differences.push(median(withKey) - median(without))
  }
  http.close()
  return { known, differences }
}

async function timed(http: LeanClient, path: string, key: string): Promise<number> {
  const began = performance.now()
  const status = await http.request('GET', path, key, '')
  if (status !== 200) throw new Error(`GET ${path} was answered ${status}`)
  return performance.now() - began
}

/** Of requests that are sent to some processes in turn, all at once or within a second, so many were let in. */
async function admitted(bases: readonly string[], key: string, requests = limit + 100, withinMs = 0): Promise<number> {
  const ask = async (i: number): Promise<number> => {
    await new Promise((resolve) => setTimeout(resolve, (withinMs * i) / requests))
    const base = bases[i % bases.length]
    const answer = await fetch(`${base}/api/v1/api-keys/current`, { headers: { authorization: `Bearer ${key}` } })
    await answer.text()
    return answer.status
  }
  const statuses = await Promise.all(Array.from({ length: requests }, (_, i) => ask(i)))
  const odd = statuses.find((status) => status !== 200 && status !== 429)
  if (odd !== undefined) throw new Error(`a request was answered ${odd}`)
  return statuses.filter((status) => status === 200).length
}

async function admittedByTwo(world: World, key: string): Promise<number> {
  const { http } = await freeAddresses()
  const second = await world.alsoRun('api', { HTTP_LISTEN: http })
  try {
    return await admitted([world.facts.base_url, `http://${http}`], key, 1_000, 1_000)
  } finally {
    await second.stop()
  }
}
