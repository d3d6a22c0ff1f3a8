import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startWorld, type World } from '@zonewright/system-tests/world'
import pg from 'pg'
import { freeAddresses } from '../../tools/local/addresses.ts'
import { Program } from '../../tools/local/process.ts'
import { LeanClient } from './lean-client.ts'
import { type Bar, type Figure, median } from './report.ts'

const thisCheckout = fileURLToPath(new URL('../..', import.meta.url))
const rounds = 5
/** V8 compiles during some ten thousand requests, so their durations fall until then. */
const warmRounds = 12
const requestsPerRound = 1_000
const knownKeys = 1_000
const keyCounts = { few: 5_000, many: 1_000_000 }
const limit = 300

interface Key {
  readonly id: string
  readonly secret: string
}

/** The two routes, in an installation with this many keys. */
export interface Setting {
  readonly world: World
  readonly work: Program
  readonly base: string
  readonly zone: string
  readonly keys: readonly Key[]
  /** Keys that have not been used for a request. */
  readonly fresh: readonly [Key, Key]
}

/**
 * The cost of authenticating a request, with few keys and with a million, and whether one process and two processes keep the limit of 300
 * requests a minute.
 *
 * Two routes that do the same work, a single read from the database, show the cost: one requires a key, and the other is public. The API's real
 * server, authentication and limit are in front of them, in a separate process. An installation with few keys and one with many are measured
 * alone, round by round, and then request by request for their ratio, so that other work of the machine affects both.
 */
export async function auth(): Promise<Figure[]> {
  const worlds = [await startWorld(), await startWorld()] as const
  try {
    await fillKeys(worlds[0], keyCounts.few)
    await fillKeys(worlds[1], keyCounts.many)
    const settings = [await setUp(worlds[0]), await setUp(worlds[1])] as const
    const bothAsked = () => [new Asked(settings[0]), new Asked(settings[1])] as const
    await measure(warmRounds, bothAsked())
    const [few, many] = bothAsked()
    await measure(rounds, [few], [many])
    const [fewBeside, manyBeside] = bothAsked()
    await measure(rounds, [fewBeside, manyBeside])
    for (const { work } of settings) await work.stop()
    const ratios = manyBeside.known.map((ms, i) => ms / (fewBeside.known[i] ?? Number.NaN))
    const [{ world, fresh }] = settings
    const alone = await admitted([world.facts.base_url], fresh[0].secret)
    const together = await admittedByTwo(world, fresh[1].secret)
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
    for (const world of worlds) await world.stop()
  }
}

/** Creates the keys, and starts the process with the two routes, from this checkout or from another. */
export async function setUp(world: World, checkout = thisCheckout): Promise<Setting> {
  const copies = String(knownKeys + 2)
  const made = await world.admin('key', 'create', world.facts.account.email, 'auth', '--copies', copies)
  const [first, second, ...keys] = JSON.parse(made) as [Key, Key, ...Key[]]
  const work = sameWork(world, checkout)
  return { world, work, base: await work.start(), zone: world.facts.zone.name, keys, fresh: [first, second] }
}

function figure(name: string, unit: string, samples: readonly number[], kind: Bar['kind'], value: number): Figure {
  return { name, unit, value: median(samples), bar: { kind, value }, samples }
}

/** The process with the two routes. */
function sameWork(world: World, checkout: string): Program {
  return new Program({
    name: 'same work',
    args: [join(checkout, 'service/src/testing/same-work-program.ts')],
    env: world.env,
    logFile: join(world.dataDir, 'logs', 'same-work.log'),
  })
}

/** Adds keys with unknown secrets until there are this many. */
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

/** One of the processes that are measured in turn, and the durations of its requests: medians of each round, in milliseconds. */
export class Asked {
  /** Of requests with a key. */
  readonly known: number[] = []
  /** How much longer these are than those without a key. */
  readonly differences: number[] = []
  readonly #setting: Setting
  readonly #http: LeanClient

  constructor(setting: Setting) {
    this.#setting = setting
    this.#http = new LeanClient(setting.base)
  }

  /** Sends requests of either kind; returns their durations. */
  async askBoth(i: number): Promise<{ withKey: number; without: number }> {
    const { zone, keys } = this.#setting
    const { id, secret } = keys[i % keys.length] as Key
    const withKey = await timed(this.#http, `/api/v1/zones/${zone}/for-keys/${id}`, secret)
    return { withKey, without: await timed(this.#http, `/api/v1/zones/${zone}/for-anybody/${id}`, secret) }
  }

  endRound(taken: readonly { withKey: number; without: number }[]): void {
    const known = median(taken.map(({ withKey }) => withKey))
    this.known.push(known)
    this.differences.push(known - median(taken.map(({ without }) => without)))
  }

  close(): void {
    this.#http.close()
  }
}

/** Each group has its round, then the next one. The members of a group are measured in turn. */
export async function measure(count: number, ...groups: readonly (readonly Asked[])[]): Promise<void> {
  for (let round = 0; round < count; round++) for (const group of groups) await askRound(group)
  for (const asked of groups.flat()) asked.close()
}

async function askRound(group: readonly Asked[]): Promise<void> {
  const taken = new Map(group.map((asked) => [asked, [] as Awaited<ReturnType<Asked['askBoth']>>[]]))
  for (let i = 0; i < requestsPerRound; i++) for (const [asked, its] of taken) its.push(await asked.askBoth(i))
  for (const [asked, its] of taken) asked.endRound(its)
}

async function timed(http: LeanClient, path: string, key: string): Promise<number> {
  const began = performance.now()
  const status = await http.request('GET', path, key, '')
  if (status !== 200) throw new Error(`GET ${path} was answered ${status}`)
  return performance.now() - began
}

/** How many requests are admitted of those that are sent to some processes in turn, all at once or within a second. */
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
