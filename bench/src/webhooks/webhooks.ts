import { type Figure, median } from '../report.ts'
import { runProgram } from '../run-program.ts'
import { type HooksWorld, startHooksWorld, waitUntil } from './hooks-world.ts'
import { measureLatencies } from './latency.ts'

const rounds = 3
const latency = { endpoints: 500, perSecond: 200, seconds: 10 }
/** Events that are committed together while the rate is measured. */
const fedTogether = 50
const rate = { accounts: 200, endpointsEach: 10, hosts: 500, seconds: 10 }
const everyEndpoint = rate.accounts * rate.endpointsEach
/** The host names of the endpoints with which the sustained rate is measured. */
export const sustainedHosts = rate.hosts

/**
 * How soon an event reaches its receiver, and how many deliveries per second a complete installation makes: PostgreSQL, workers and receivers on
 * one machine, durable commits, every receiver on TLS, the address guard on.
 */
export async function webhooks(): Promise<Figure[]> {
  const hooks = await startHooksWorld({ hosts: rate.hosts })
  try {
    const accounts = await hooks.addAccounts(latency.endpoints)
    await measureLatencies(hooks, accounts, { ...latency, seconds: 8 }) // warm up: code is compiled, connections are open
    const latencies = []
    for (let round = 0; round < rounds; round++) latencies.push(await measureLatencies(hooks, accounts, latency))
    const sustained = await Sustained.open(hooks)
    const rates = await sustained.during(async () => {
      await sustained.warm()
      const taken: number[] = []
      for (let round = 0; round < rounds; round++) taken.push(await sustained.perSecond(rate.seconds))
      return taken
    })
    await sustained.untilDelivered()
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

/** The rate of deliveries to this many endpoints while more deliveries wait than can be sent. */
export class Sustained {
  readonly #hooks: HooksWorld
  readonly #accounts: readonly string[]
  #next = 0

  private constructor(hooks: HooksWorld, accounts: readonly string[]) {
    this.#hooks = hooks
    this.#accounts = accounts
  }

  /** Adds the accounts and their endpoints. */
  static async open(hooks: HooksWorld): Promise<Sustained> {
    return new Sustained(hooks, await hooks.addAccounts(rate.accounts, { endpointsEach: rate.endpointsEach }))
  }

  /**
   * During the work, keeps more deliveries waiting than can be sent. They are counted here, not in the database: counting the rows of the queue
   * took a fifth of PostgreSQL's processor time.
   */
  async during<T>(work: () => Promise<T>): Promise<T> {
    let isFeeding = true
    const fed = this.#feedWhile(() => isFeeding)
    try {
      return await work()
    } finally {
      isFeeding = false
      await fed
    }
  }

  /** Waits until every endpoint has received something, so that each connection is open. */
  async warm(): Promise<void> {
    const { received } = this.#hooks
    const start = received.length
    await waitUntil('every endpoint has got something', () => received.length > start + everyEndpoint * 5, 60)
  }

  /** Deliveries per second, over this many seconds. */
  async perSecond(seconds: number): Promise<number> {
    const { received } = this.#hooks
    const [before, began] = [received.length, performance.now()]
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
    return ((received.length - before) * 1_000) / (performance.now() - began)
  }

  /** Waits until no delivery is waiting. */
  async untilDelivered(): Promise<void> {
    const { publisher } = this.#hooks
    const waiting = 'select 1 from webhook_queue where retry_at is null union all select 1 from event_outbox limit 1'
    await waitUntil('the rest is delivered', async () => (await publisher.query(waiting)).length === 0, 60)
  }

  async #feedWhile(isFeeding: () => boolean): Promise<void> {
    const { publisher, received } = this.#hooks
    const start = received.length
    let fed = 0
    while (isFeeding()) {
      if (fed - (received.length - start) > everyEndpoint * 3) await new Promise((resolve) => setTimeout(resolve, 10))
      else {
        await publisher.publish(this.#accounts.slice(this.#next, this.#next + fedTogether))
        fed += fedTogether * rate.endpointsEach
        this.#next = (this.#next + fedTogether) % this.#accounts.length
      }
    }
  }
}

async function undiciAlone({ world, receivers }: HooksWorld): Promise<number> {
  const caFile = world.env['WEBHOOK_CA_FILE'] ?? ''
  const args = [caFile, receivers.port, rate.accounts * rate.endpointsEach, rate.hosts, 8].map(String)
  return await runProgram<number>(new URL('./floor.ts', import.meta.url), args)
}
