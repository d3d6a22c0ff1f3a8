import { setTimeout as delay } from 'node:timers/promises'
import { longestGapMs } from '../conformance/peers/steady-puts.ts'
import { type Api, type ApiAnswer, askUdp, eventually } from '../world/index.ts'

/** A change of a record that an API has acknowledged: its text is the number of its version. */
export interface AcknowledgedChange {
  readonly zone: string
  /** Without the zone's name. */
  readonly name: string
  readonly version: number
  /** Its own serial, or a later one if it was requested again. */
  readonly serial: number
  readonly endedMs: number
}

/** The addresses and keys that the callers and the resolvers use. */
interface Doors {
  readonly apis: readonly Api[]
  readonly zones: readonly string[]
  readonly nameservers: readonly string[]
}

/** The number of callers of each zone, each with its own names. The first of them waits until both nameservers serve its change. */
const callersPerZone = 4
const namesPerCaller = 20
const pauseMs = 250
const resolversPerNameserver = 2
const resolverPauseMs = 20

/**
 * Callers who change records all the time, and resolvers that query all of these at each nameserver.
 *
 * A caller repeats its change at the other API until one acknowledges it, and only then makes its next change. The answers of a nameserver must
 * never be older than what it has answered before, and not older than what an API reported as replicated before the query.
 */
export class CheckedLoad {
  readonly acknowledged: AcknowledgedChange[] = []
  /** The responses to callers other than acknowledgements. */
  readonly refused: { readonly answer: string; readonly endedMs: number }[] = []
  readonly wrong: string[] = []
  readonly counts = { queries: 0, unanswered: 0, confirmed: 0 }
  readonly #doors: Doors
  readonly #end = new AbortController()
  readonly #running: Promise<unknown>
  /** The last version that was sent of each owner name. */
  readonly #sent = new Map<string, number>()
  /** The oldest version of each owner name that a nameserver may answer with, by `nameserver owner`. */
  readonly #oldest = new Map<string, number>()
  readonly #unconfirmed = new Set<AcknowledgedChange>()

  constructor(doors: Doors) {
    this.#doors = doors
    const callers = doors.zones.flatMap((zone) =>
      Array.from({ length: callersPerZone }, (_, caller) =>
        this.#repeat(pauseMs, (turn) => this.#change(zone, caller, turn)),
      ),
    )
    const resolvers = doors.nameservers.flatMap((nameserver) =>
      Array.from({ length: resolversPerNameserver }, () =>
        this.#repeat(resolverPauseMs, (turn) => this.#resolve(nameserver, turn)),
      ),
    )
    this.#running = Promise.all([...callers, ...resolvers])
    // `stop` throws the error.
    this.#running.catch(() => undefined)
  }

  /** The longest time between two acknowledgements to any caller from any API, between two moments. */
  longestGapMs(sinceMs: number, untilMs: number): number {
    return longestGapMs(this.acknowledged, sinceMs, untilMs)
  }

  async untilAcknowledged(more: number): Promise<void> {
    const count = this.acknowledged.length + more
    await eventually(
      () => `${more} changes are acknowledged; last answers: ${JSON.stringify(this.refused.slice(-3))}`,
      async () => this.acknowledged.length >= count,
    )
  }

  /** Ends when every change is acknowledged. */
  async stop(): Promise<void> {
    this.#end.abort()
    await this.#running
  }

  async #repeat(everyMs: number, act: (turn: number) => Promise<void>): Promise<void> {
    for (let turn = 0; !this.#end.signal.aborted; turn++) {
      await act(turn)
      await delay(everyMs)
    }
  }

  async #change(zone: string, caller: number, turn: number): Promise<void> {
    const { apis } = this.#doors
    const name = `c${caller}-${turn % namesPerCaller}`
    const version = 1 + Math.floor(turn / namesPerCaller)
    this.#sent.set(`${name}.${zone}`, version)
    const path = `/zones/${zone}/rrsets/${name}/TXT`
    const headers = caller === 0 ? { prefer: 'wait=10' } : {}
    let next = turn + version
    await eventually(`version ${version} of ${name}.${zone} is acknowledged`, async () => {
      const answer = await apis[next++ % apis.length]
        ?.call('PUT', path, { ttl: 60, records: [`"${version}"`] }, headers)
        .catch((error: Error) => error)
      const endedMs = performance.now()
      if (!answer || answer instanceof Error || answer.status >= 300) {
        this.refused.push({ answer: refusalOf(answer), endedMs })
        return false
      }
      const serial = Number(answer.headers.get('zone-serial'))
      const change = { zone, name, version, serial, endedMs }
      this.acknowledged.push(change)
      this.#unconfirmed.add(change)
      if (answer.headers.get('zone-replicated') === 'true') this.#confirm(zone, serial)
      return true
    })
  }

  /** Records that every nameserver serves the changes of a zone up to this serial. */
  #confirm(zone: string, serial: number): void {
    for (const change of this.#unconfirmed) {
      if (change.zone !== zone || change.serial > serial) continue
      this.#unconfirmed.delete(change)
      this.counts.confirmed++
      for (const nameserver of this.#doors.nameservers)
        this.#raise(nameserver, `${change.name}.${zone}`, change.version)
    }
  }

  #raise(nameserver: string, owner: string, version: number): void {
    const key = `${nameserver} ${owner}`
    this.#oldest.set(key, Math.max(this.#oldest.get(key) ?? 0, version))
  }

  async #resolve(nameserver: string, turn: number): Promise<void> {
    const owners = [...this.#sent.keys()]
    const owner = owners[turn % owners.length]
    if (owner === undefined) return
    const oldest = this.#oldest.get(`${nameserver} ${owner}`) ?? 0
    this.counts.queries++
    const answer = await askUdp(nameserver, owner, 'TXT').catch(() => undefined)
    if (answer === undefined) {
      this.counts.unanswered++
      return
    }
    const { rcode, answers } = answer
    const version =
      rcode === 'NXDOMAIN' ? 0 : Number(rcode === 'NOERROR' && answers.length === 1 ? answers[0] : Number.NaN)
    if (version >= oldest && version <= (this.#sent.get(owner) ?? 0)) this.#raise(nameserver, owner, version)
    else
      this.wrong.push(
        `${new Date().toISOString()} ${nameserver} ${owner}: ${rcode} ${answers}, version ${oldest} or later was expected`,
      )
  }
}

function refusalOf(answer: ApiAnswer | Error | undefined): string {
  if (answer instanceof Error) return 'the connection is gone'
  return `${answer?.status}${answer?.headers.has('retry-after') ? ', to be tried again' : ''}`
}
