import { Api, startWorld, type World } from '@zonewright/system-tests/world'
import { AnswerWatch } from './answer-watch.ts'
import { setCommitDelay } from './database.ts'
import { type Bar, type Figure, median } from './report.ts'
import { loadPuts, makeKeys, makeWriter, type Writer } from './writer.ts'

const rounds = 5
const clients = 32
const zoneCount = 96
/** Whole beats: every other second the nameservers fetch what was changed, and less is (docs/decisions/0008). */
const loadSeconds = 6
const writesPerRound = 60

/**
 * The main thread of the product, on a whole installation of real processes with durable commits: how soon a change gets its response and its event,
 * how many changes a second are accepted, and that none is lost.
 */
export async function thread(): Promise<Figure[]> {
  const world = await startWorld()
  try {
    const writer = await makeWriter(world, zoneCount)
    await loadPuts([world.facts.base_url], writer, { clients, seconds: 10 }) // warm up: code is compiled, caches are filled, every rrset exists
    const api = await demoApi(world)
    const latencies = await measureLatencies(world, api)
    const rates = await measureRates(world, writer)
    const kept = await addsKept(world, api)
    return [
      figure('API write → both nameservers answer, p50', 'ms', latencies.answered, { kind: 'at most', value: 20 }),
      figure('API write → webhook received with replicated: true, p50', 'ms', latencies.received, {
        kind: 'at most',
        value: 60,
      }),
      figure(
        `PUTs with ${clients} clients, each with ${zoneCount / clients} zones of its own`,
        'a second',
        rates.plain,
        {
          kind: 'at least',
          value: 1_500,
        },
      ),
      {
        ...figure('the same on a 2 ms disk, as a share of it', '', rates.ratios, { kind: 'at least', value: 0.8 }),
        beside: [
          {
            name: 'PUTs a second with commit_delay=2000',
            value: median(rates.slow),
            ratio: median(rates.ratios),
          },
        ],
      },
      figure('adds to one rrset by 8 clients that are kept, of 400', '', [kept], { kind: 'at least', value: 400 }),
    ]
  } finally {
    await world.stop()
  }
}

function figure(name: string, unit: string, samples: readonly number[], bar: Bar): Figure {
  return { name, unit, value: median(samples), bar, samples }
}

/** The demo account's API with enough keys for some thousand requests a minute. */
export async function demoApi(world: World): Promise<Api> {
  return new Api(world.facts.base_url, await makeKeys(world, world.facts.account.email, 20))
}

/** Times from the start of the PUT, one change after another: a median for each round. */
async function measureLatencies(world: World, api: Api): Promise<{ answered: number[]; received: number[] }> {
  const spread = new Spread(world, api)
  const answered: number[] = []
  const received: number[] = []
  for (let round = 0; round < rounds; round++) {
    const sent = new Map<string, number>()
    answered.push(await spread.measure(sent))
    received.push(median(await deliveryTimes(world, sent)))
  }
  spread.close()
  return { answered, received }
}

/** How soon all nameservers answer with the change. */
export class Spread {
  readonly #zone: string
  readonly #api: Api
  readonly #watches: readonly AnswerWatch[]
  #changes = 0

  /** Changes the demo account's zone through `api`. */
  constructor({ facts }: World, api: Api) {
    this.#zone = facts.zone.name
    this.#api = api
    this.#watches = facts.nameservers.map(({ address }) => new AnswerWatch(address))
  }

  /** Makes 60 changes, one after another. The median time from the start of each PUT, in ms; `sent`: when each value was sent. */
  async measure(sent = new Map<string, number>()): Promise<number> {
    const answeredMs: number[] = []
    for (let i = 0; i < writesPerRound; i++) {
      const value = `"${this.#changes++}"`
      const everywhere = this.#watches.map((watch) => watch.until(`latency.${this.#zone}`, value))
      const began = performance.now()
      sent.set(value, Date.now())
      await this.#api.put(this.#zone, 'latency', 'TXT', [value])
      await Promise.all(everywhere)
      answeredMs.push(performance.now() - began)
    }
    return median(answeredMs)
  }

  close(): void {
    for (const watch of this.#watches) watch.close()
  }
}

/** The time from the start of each PUT until the receiver had its event, in milliseconds. */
async function deliveryTimes(world: World, sent: ReadonlyMap<string, number>): Promise<number[]> {
  const last = [...sent.keys()].at(-1) ?? ''
  const changedTo = (body: string): string | undefined => JSON.parse(body).data.changes?.[0]?.records[0]
  await world.received.waitFor('the last change', (event) => event.data.changes?.[0]?.records[0] === last)
  return (await world.received.requests()).flatMap(({ at, body }) => {
    const beganAt = sent.get(changedTo(body) ?? '')
    return beganAt === undefined || JSON.parse(body).data.replicated !== true ? [] : [Date.parse(at) - beganAt]
  })
}

/** PUTs per second with the machine's disk, and with each commit delayed by 2 ms; alternating. */
async function measureRates(
  world: World,
  writer: Writer,
): Promise<{ plain: number[]; slow: number[]; ratios: number[] }> {
  const plain: number[] = []
  const slow: number[] = []
  for (let round = 0; round < rounds; round++) {
    await setCommitDelay(world.databaseUrl, 0)
    plain.push((await loadPuts([world.facts.base_url], writer, { clients, seconds: loadSeconds })).perSecond)
    await setCommitDelay(world.databaseUrl, 2_000)
    slow.push((await loadPuts([world.facts.base_url], writer, { clients, seconds: loadSeconds })).perSecond)
  }
  await setCommitDelay(world.databaseUrl, 0)
  return { plain, slow, ratios: slow.map((rate, i) => rate / (plain[i] ?? Number.NaN)) }
}

/** Eight clients concurrently add fifty values each to one rrset. Returns how many of them it has at the end. */
async function addsKept(world: World, api: Api): Promise<number> {
  const path = `/zones/${world.facts.zone.name}/rrsets/adds/A`
  const addAll = async (client: number): Promise<void> => {
    for (let i = 0; i < 50; i++) await api.call('PATCH', path, { add: [`10.9.${client}.${i}`] })
  }
  await Promise.all(Array.from({ length: 8 }, (_, client) => addAll(client)))
  const { body } = await api.call<{ records: string[] }>('GET', path)
  return body.records.length
}
