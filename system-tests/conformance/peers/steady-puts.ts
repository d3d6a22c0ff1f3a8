import assert from 'node:assert/strict'
import {
  type Api,
  askUdp,
  eventually,
  type ReceivedEvent,
  type ReceivedRequest,
  type ReceiverLog,
  type World,
} from '../../world/index.ts'

/** A change that the API has acknowledged. */
export interface Acknowledged {
  readonly name: string
  readonly serial: number
  readonly sentMs: number
  readonly endedMs: number
}

/** Small changes of one zone, each of a different name, that are sent to an API continuously, whether it responds or not. */
export class SteadyPuts {
  readonly acknowledged: Acknowledged[] = []
  /** The other responses, such as `503, to be tried again in 1 s`. */
  readonly refused: { readonly answer: string; readonly endedMs: number }[] = []
  readonly #api: Api
  readonly #zone: string
  readonly #prefix: string
  readonly #timer: NodeJS.Timeout
  readonly #underWay = new Set<Promise<void>>()
  #sent = 0

  constructor(api: Api, zone: string, prefix: string, perSecond: number) {
    this.#api = api
    this.#zone = zone
    this.#prefix = prefix
    this.#timer = setInterval(() => {
      const put = this.#put(`${prefix}${this.#sent++}`).finally(() => this.#underWay.delete(put))
      this.#underWay.add(put)
    }, 1_000 / perSecond)
  }

  /** The owner names whose changes it has sent, without the zone's name. */
  get names(): string[] {
    return Array.from({ length: this.#sent }, (_, i) => `${this.#prefix}${i}`)
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all(this.#underWay)
  }

  /** Waits for the acknowledgement of this many changes that were sent from now on. */
  async untilAcknowledged(count: number): Promise<void> {
    const fromMs = performance.now()
    await eventually(
      () => `${count} changes are acknowledged; last answers: ${JSON.stringify(this.refused.slice(-3))}`,
      async () => this.acknowledged.filter(({ sentMs }) => sentMs > fromMs).length >= count,
    )
  }

  /** The longest time without an acknowledgement since a moment. */
  longestGapMs(sinceMs: number): number {
    return longestGapMs(this.acknowledged, sinceMs)
  }

  async #put(name: string): Promise<void> {
    const sentMs = performance.now()
    const answer = await this.#api
      .call('PUT', `/zones/${this.#zone}/rrsets/${name}/TXT`, { ttl: 60, records: [`"${name}"`] })
      .catch((error: Error) => error)
    const endedMs = performance.now()
    if (answer instanceof Error) {
      this.refused.push({ answer: String(answer.cause ?? answer), endedMs })
    } else if (answer.status < 300) {
      this.acknowledged.push({ name, serial: Number(answer.headers.get('zone-serial')), sentMs, endedMs })
    } else {
      const again = answer.headers.get('retry-after')
      this.refused.push({ answer: `${answer.status}${again ? ', to be tried again' : ''}`, endedMs })
    }
  }
}

/** The longest time without an acknowledgement between two moments, or from one to the last acknowledgement. */
export function longestGapMs(acknowledged: readonly { readonly endedMs: number }[], sinceMs: number, untilMs?: number) {
  const times = acknowledged.map(({ endedMs }) => endedMs).filter((at) => at > sinceMs && at < (untilMs ?? Infinity))
  if (untilMs !== undefined) times.push(untilMs)
  return Math.max(...times.sort((a, b) => a - b).map((at, i) => at - (times[i - 1] ?? sinceMs)))
}

/** The texts of a zone's TXT records in the database, by owner name without the zone's name. */
export async function textsStored({ api }: World, zone: string): Promise<Map<string, string>> {
  const { body } = await api.call<string & Record<string, unknown>>('GET', `/zones/${zone}/export`)
  const lines = String(body).matchAll(/^(\S+)\s.*\bTXT\s+"(\S+)"$/gm)
  return new Map([...lines].map(([, owner = '', text = '']) => [owner.replace(`.${zone}.`, ''), text]))
}

/** Waits until both nameservers serve these names as they are in the database, and no others. */
export async function untilServedAsStored(
  { facts }: World,
  zone: string,
  names: readonly string[],
  stored: ReadonlyMap<string, string>,
) {
  for (const { address } of facts.nameservers) {
    const isAsStored = async (name: string): Promise<boolean> => {
      const { answers } = await askUdp(address, `${name}.${zone}`, 'TXT')
      return stored.has(name) ? answers[0] === stored.get(name) : answers.length === 0
    }
    const left = [...names]
    await eventually(
      () => `${address} serves ${left.at(-1)} as the database has it`,
      async () => {
        for (let name = left.at(-1); name !== undefined && (await isAsStored(name)); name = left.at(-1)) left.pop()
        return left.length === 0
      },
    )
  }
}

/** A request with an event. */
export interface HeardEvent extends Pick<ReceivedRequest, 'number' | 'body'> {
  readonly event: ReceivedEvent
}

/** All events that the receiver gets: its log has the last thousand requests. */
export class HeardEvents {
  /** In order of arrival. */
  readonly requests: HeardEvent[] = []
  readonly #log: ReceiverLog
  readonly #timer: NodeJS.Timeout

  constructor(log: ReceiverLog) {
    this.#log = log
    this.#timer = setInterval(() => this.#hear().catch(() => undefined), 1_000).unref()
  }

  async stop(): Promise<ReceivedEvent[]> {
    clearInterval(this.#timer)
    await this.#hear()
    return this.requests.map(({ event }) => event)
  }

  async #hear(): Promise<void> {
    // A concurrent read may have finished before this one.
    for (const { number, body } of await this.#log.requests(this.#last))
      if (number > this.#last) this.requests.push({ number, body, event: JSON.parse(body) })
  }

  get #last(): number {
    return this.requests.at(-1)?.number ?? 0
  }
}

/** Checks that no serial was assigned twice, and that no event id and no serial has two different contents in the events. */
export function assertNothingTwice(acknowledged: readonly Acknowledged[], events: readonly ReceivedEvent[]): void {
  const serials = acknowledged.map(({ serial }) => serial)
  assert.equal(new Set(serials).size, serials.length, 'no serial was acknowledged twice')
  const changes = events.filter(({ type }) => type === 'zone.records_changed')
  assert.ok(changes.length > 0, 'events arrived')
  const contents = [
    ...Map.groupBy(events, ({ id }) => id),
    ...Map.groupBy(changes, ({ data }) => `${data.zone.name} ${data.serial}`),
  ]
  for (const [what, same] of contents)
    assert.equal(new Set(same.map(({ id, data }) => JSON.stringify([id, data]))).size, 1, what)
}
