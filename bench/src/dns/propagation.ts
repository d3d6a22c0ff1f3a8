import { startWorld, type World } from '@zonewright/system-tests/world'
import { LeanClient } from '../lean-client.ts'
import { type Figure, median, peerOf, percentile } from '../report.ts'
import { hostedZone, hostZones } from './hosted-zones.ts'
import { SpreadWatch } from './spread-watch.ts'

const zoneCount = 100_000
const changesPerSecond = 100
const rounds = 5
const secondsEach = 6
const email = 'propagation@zonewright.test'
/** None of these keys comes near its limit of 300 requests a minute. */
const keyCount = 100
const connections = 200

/** Times in milliseconds from the start of a request, one per change. */
interface Times {
  readonly accepted: number[]
  readonly answered: number[]
}

/** How soon both nameservers of a complete installation serve a change, with many changes per second and very many zones. */
export async function propagation(): Promise<Figure[]> {
  const world = await startWorld()
  try {
    await world.admin('account', 'create', email)
    const made = await world.admin('key', 'create', email, 'bench', '--copies', String(keyCount))
    const keys = (JSON.parse(made) as { secret: string }[]).map(({ secret }) => secret)
    await hostZones(world, zoneCount, email)
    const watch = await SpreadWatch.open(world.facts.nameservers.map(({ address }) => address))
    const changer = new Changer(world, keys, watch)
    await changer.change(secondsEach) // warm up: code is compiled, statements are prepared
    const times: Times[] = []
    for (let round = 0; round < rounds; round++) times.push(await changer.change(secondsEach))
    watch.close()
    changer.close()
    return figuresOf(times)
  } finally {
    await world.stop()
  }
}

function figuresOf(times: readonly Times[]): Figure[] {
  const at = (share: number) => times.map(({ answered }) => percentile(answered, share))
  const accepted = median(times.map(({ accepted }) => median(accepted)))
  const figure = (name: string, unit: string, samples: readonly number[]): Figure => {
    return { name, unit, value: median(samples), samples }
  }
  const [p50, p95, p99] = [at(0.5), at(0.95), at(0.99)]
  const what = `change → answered by both nameservers, ${changesPerSecond} a second, ${zoneCount} zones`
  return [
    {
      ...figure(`${what}, p50`, 'ms', p50),
      bar: { kind: 'at most', value: 15 },
      beside: [{ name: 'change accepted', value: accepted, ratio: median(p50) / accepted }],
    },
    {
      ...figure('the same, p95', 'ms', p95),
      bar: { kind: 'at most', value: 5, against: 'p50' },
      beside: [peerOf('p50', p95, p50)],
    },
    figure('the same, p99', 'ms', p99),
  ]
}

/** Changes one zone after another through the API, far apart in the list, and measures each change. */
class Changer {
  readonly #keys: readonly string[]
  readonly #watch: SpreadWatch
  readonly #idle: LeanClient[]
  readonly #clients: readonly LeanClient[]
  #changes = 0

  constructor(world: World, keys: readonly string[], watch: SpreadWatch) {
    this.#keys = keys
    this.#watch = watch
    this.#clients = Array.from({ length: connections }, () => new LeanClient(world.facts.base_url))
    this.#idle = [...this.#clients]
  }

  /** Follows the clock: a change that takes long does not delay the next one. */
  async change(seconds: number): Promise<Times> {
    const times: Times = { accepted: [], answered: [] }
    const beganMs = performance.now()
    const changes: Promise<void>[] = []
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        const due = Math.min((performance.now() - beganMs) / 1000, seconds) * changesPerSecond
        while (changes.length < due) changes.push(this.#one(times))
        if (changes.length < seconds * changesPerSecond) return
        clearInterval(timer)
        resolve()
      }, 1)
    })
    await Promise.all(changes)
    return times
  }

  close(): void {
    for (const client of this.#clients) client.close()
  }

  async #one(times: Times): Promise<void> {
    const change = this.#changes++
    const client = this.#idle.pop()
    if (client === undefined) throw new Error(`${connections} changes were under way at once`)
    const zone = hostedZone((change * 7_919) % zoneCount)
    const address = `10.${(change >> 16) & 255}.${(change >> 8) & 255}.${change & 255}`
    const answered = this.#watch.until(`www.${zone}`, address)
    const beganMs = performance.now()
    const key = this.#keys[change % this.#keys.length] ?? ''
    const body = JSON.stringify({ ttl: 300, records: [address] })
    const status = await client.request('PUT', `/api/v1/zones/${zone}/rrsets/www/A`, key, body)
    if (status >= 300) throw new Error(`a change was answered ${status}`)
    times.accepted.push(performance.now() - beganMs)
    this.#idle.push(client)
    await answered
    times.answered.push(performance.now() - beganMs)
  }
}
