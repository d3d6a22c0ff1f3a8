import { Api } from '@zonewright/system-tests/world'
import { Asked, measure as askInTurn, type Setting, setUp } from '../auth.ts'
import { Shop } from '../orders/orders.ts'
import { bulk, importFile, reads, untilDone, untilSettled, writeForReads } from '../records/records.ts'
import { median } from '../report.ts'
import { demoApi, Spread } from '../thread.ts'
import { type HooksWorld, startHooksWorld } from '../webhooks/hooks-world.ts'
import { Sustained, sustainedHosts } from '../webhooks/webhooks.ts'
import { loadPuts, makeWriter, type Writer, writerEmail } from '../writer.ts'
import type { Checkout } from './checkout.ts'
import { type Both, type Comparison, oneMixedPair, onePair, type Pairs, tellProgress } from './in-turn.ts'

const clients = 32
const zoneCount = 96
/** Seconds of one turn. */
const seconds = 3
/** After the two seconds that `loadPuts` does not count. */
const secondsAlone = 2
/**
 * One process can be faster than another of the same code by more than the bars allow, for its whole life, because of its memory layout and of
 * what the compiler saw first. So each side has several installations, one after the other, and each of them measures a part of the pairs.
 */
const lives = 3
/** Only for large changes: each replaces all records of its zone. */
const largeZones = ['large-patch.test', 'large-import.test'] as const
/** Large changes of a turn, of which the median counts. */
const largeRounds = 3
/** V8 compiles during some ten thousand requests. */
const warmAuthRounds = 6

/** A value and how it is measured: each side alone, or both in turn with each request. */
type Measured = Comparison &
  (
    | { readonly measure: (side: Side) => Promise<number> }
    | { readonly measureMixed: (sides: readonly [Side, Side]) => Promise<[number, number]> }
  )

const figures: readonly Measured[] = [
  {
    name: `PUTs of one rrset with ${clients} clients`,
    unit: 'a second',
    bar: 0.92,
    better: 'more',
    measure: async (side) => (await side.put(clients, seconds)).perSecond,
  },
  {
    name: `GETs of one rrset with ${clients} clients`,
    unit: 'a second',
    bar: 0.93,
    better: 'more',
    measure: async (side) => reads(side.world, await side.writer(), seconds),
  },
  {
    name: 'a PUT of one client, p50',
    unit: 'ms',
    bar: 0.92,
    better: 'less',
    measure: async (side) => (await side.put(1, secondsAlone)).p50Ms,
  },
  {
    name: 'API write → both nameservers answer, p50',
    unit: 'ms',
    bar: 0.95,
    better: 'less',
    measure: async (side) => {
      const answeredMs = await (await side.spread()).measure()
      await untilDone(side.world)
      return answeredMs
    },
  },
  {
    name: 'a PATCH of 1,000 rrsets',
    unit: 'ms',
    bar: 0.95,
    better: 'less',
    measure: (side) => side.large((api, round) => bulk(api, round, largeZones[0])),
  },
  {
    name: 'an import of 10,000 records',
    unit: 'ms',
    bar: 0.95,
    better: 'less',
    measure: (side) => side.large((api, round) => importFile(api, round, largeZones[1])),
  },
  {
    name: 'sustained webhook deliveries',
    unit: 'a second',
    bar: 0.95,
    better: 'more',
    measure: async (side) => {
      const sustained = await side.sustained()
      const rate = await sustained.during(async () => {
        // Connections that were closed in the meantime are opened again.
        await sustained.perSecond(1)
        return await sustained.perSecond(seconds)
      })
      await sustained.untilDelivered()
      return rate
    },
  },
  {
    name: 'orders carried out, from quote to completed',
    unit: 'a second',
    bar: 0.95,
    better: 'more',
    measure: async (side) => (await side.shop()).load(),
  },
  {
    name: 'a request with a key, p50',
    unit: 'ms',
    bar: 0.95,
    better: 'less',
    measureMixed: async (sides) => {
      const [first, second] = [new Asked(await sides[0].auth()), new Asked(await sides[1].auth())]
      await askInTurn(1, [first, second])
      return [median(first.known), median(second.known)]
    },
  },
]

/** Whole installations, each with its own PostgreSQL: changes, reads, webhooks, orders and keys. */
export async function pairedService(
  checkouts: Both<Checkout>,
  pairs: number,
  wants: (comparison: Comparison) => boolean,
): Promise<Pairs[]> {
  const wanted = figures.filter(wants)
  if (wanted.length === 0) return []
  const measured: Pairs[] = wanted.map((comparison) => ({ comparison, own: [], its: [] }))
  for (let life = 0; life < Math.min(lives, pairs); life++) {
    const its = Array.from({ length: pairs }, (_, pair) => pair).filter((pair) => pair % lives === life)
    await oneLife(checkouts, its, life, { wanted, measured })
  }
  return measured
}

/** An installation of each checkout, measured for some of the pairs. The order in which they start alternates. */
async function oneLife(
  checkouts: Both<Checkout>,
  pairs: readonly number[],
  life: number,
  { wanted, measured }: { wanted: readonly Measured[]; measured: readonly Pairs[] },
): Promise<void> {
  const open: Side[] = []
  try {
    const openSide = async (checkout: Checkout): Promise<Side> => {
      tellProgress(`an installation of ${checkout.commit}`)
      const side = await Side.open(checkout, 2 * pairs.length)
      open.push(side)
      return side
    }
    const both =
      life % 2 === 0
        ? { own: await openSide(checkouts.own), other: await openSide(checkouts.other) }
        : { other: await openSide(checkouts.other), own: await openSide(checkouts.own) }
    // The data for a value is created in its first turn, which does not count, because code is compiled and caches are filled.
    for (const figure of wanted) {
      tellProgress(`${figure.name}: warm-up`)
      if ('measureMixed' in figure) await figure.measureMixed([both.own, both.other])
      else for (const side of open) await figure.measure(side)
    }
    // No side is measured while the other still writes or cleans up after earlier turns.
    const settle = async (): Promise<void> => {
      for (const { world } of open) await untilSettled(world)
    }
    for (const pair of pairs) {
      for (const [index, figure] of wanted.entries()) {
        const samples = measured[index]
        if (samples === undefined) continue
        if ('measureMixed' in figure) await oneMixedPair(pair, both, samples, figure.measureMixed, settle)
        else await onePair(pair, both, samples, figure.measure, settle)
      }
    }
  } finally {
    for (const side of open) await side.close()
  }
}

/** An installation of one checkout, with the data for the values, each created when it is first needed. */
class Side {
  readonly writer: () => Promise<Writer>
  readonly spread: () => Promise<Spread>
  readonly sustained: () => Promise<Sustained>
  readonly shop: () => Promise<Shop>
  readonly auth: () => Promise<Setting>
  readonly #hooks: HooksWorld
  readonly #ends: (() => Promise<void>)[] = []
  readonly #large: () => Promise<Api>
  #largeRound = 0

  private constructor(hooks: HooksWorld, { folder }: Checkout, turns: number) {
    const { world } = hooks
    this.#hooks = hooks
    this.writer = once(async () => {
      const writer = await makeWriter(world, zoneCount)
      await writeForReads(world, writer)
      return writer
    })
    this.#large = once(async () => {
      const { keys } = await this.writer()
      await world.admin('zone', 'add', writerEmail, ...largeZones)
      return new Api(world.facts.base_url, keys)
    })
    this.spread = once(async () => {
      const spread = new Spread(world, await demoApi(world))
      this.#ends.push(async () => spread.close())
      return spread
    })
    this.sustained = once(async () => {
      const sustained = await Sustained.open(hooks)
      await sustained.during(() => sustained.warm())
      return sustained
    })
    this.shop = once(() => Shop.open(world, { loads: turns + 1 }))
    this.auth = once(async () => {
      const setting = await setUp(world, folder)
      this.#ends.push(() => setting.work.stop())
      await askInTurn(warmAuthRounds, [new Asked(setting)])
      return setting
    })
  }

  /** `turns`: how often each value is measured, besides the first time. */
  static async open(checkout: Checkout, turns: number): Promise<Side> {
    const hooks = await startHooksWorld({ hosts: sustainedHosts, start: checkout.startWorld })
    return new Side(hooks, checkout, turns)
  }

  get world(): HooksWorld['world'] {
    return this.#hooks.world
  }

  /** Loads it with PUTs, and waits until their follow-up work is done. */
  async put(byClients: number, forSeconds: number): ReturnType<typeof loadPuts> {
    const writer = await this.writer()
    const result = await loadPuts([this.world.facts.base_url], writer, { clients: byClients, seconds: forSeconds })
    await untilDone(this.world)
    return result
  }

  /** Makes a large change a few times, each with new data, and waits until the follow-up work is done. The median, in milliseconds. */
  async large(change: (api: Api, round: number) => Promise<number>): Promise<number> {
    const api = await this.#large()
    const taken: number[] = []
    for (let i = 0; i < largeRounds; i++) {
      taken.push(await change(api, this.#largeRound++ % 250))
      await untilDone(this.world)
    }
    return median(taken)
  }

  async close(): Promise<void> {
    for (const end of this.#ends) await end()
    await this.#hooks.stop()
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
