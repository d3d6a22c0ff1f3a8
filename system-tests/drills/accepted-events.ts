import type { ReceivedRequest, ReceiverLog } from '../world/index.ts'

/** The events that the receivers of an installation have accepted. Checks that each event arrives once, and the changes of a zone in order. */
export class AcceptedEvents {
  /** The errors, in the order in which they were noticed. */
  readonly faults: string[] = []
  /** The number of requests, and of accepted ones. */
  readonly counts = { attempts: 0, deliveries: 0 }
  readonly #log: ReceiverLog
  readonly #inOrder: string
  /** The ids of events, and the zone and serial of changes, by receiver. */
  readonly #accepted: ReadonlyMap<string, { readonly ids: Set<string>; readonly changes: Set<string> }>
  readonly #latest = new Map<string, number>()
  #collected = 0

  /**
   * @param inOrder - the receiver that always accepts, and so gets everything in its order
   * @param others - receivers that get repeats after later events
   */
  constructor(log: ReceiverLog, inOrder: string, others: readonly string[]) {
    this.#log = log
    this.#inOrder = inOrder
    this.#accepted = new Map([inOrder, ...others].map((name) => [name, { ids: new Set(), changes: new Set() }]))
  }

  /** Reads the requests since the last call. The sandbox forgets old requests, so this must be called often. */
  async collect(): Promise<void> {
    for (const request of await this.#log.requests(this.#collected)) {
      const forgotten = request.number - this.#collected - 1
      if (forgotten > 0) this.faults.push(`the sandbox has forgotten ${forgotten} requests`)
      this.#collected = request.number
      this.counts.attempts++
      if (!request.verified) this.faults.push(`${request.receiver} does not believe an event: ${request.doubt}`)
      if (request.status === 200) this.#take(request)
    }
  }

  /** Whether every receiver has accepted all of these changes, each a zone and a serial. */
  hasAll(changes: ReadonlySet<string>): boolean {
    return [...this.#accepted.values()].every((its) => [...changes].every((change) => its.changes.has(change)))
  }

  #take({ receiver, body }: ReceivedRequest): void {
    this.counts.deliveries++
    const { id, type, data } = JSON.parse(body)
    const its = this.#accepted.get(receiver)
    if (its === undefined || its.ids.has(id)) this.faults.push(`${receiver} was not to get ${type} ${id}, or not again`)
    its?.ids.add(id)
    if (type !== 'zone.records_changed') return
    const { name } = data.zone
    its?.changes.add(`${name} ${data.serial}`)
    if (receiver !== this.#inOrder) return
    const latest = this.#latest.get(name) ?? 0
    if (data.serial <= latest) this.faults.push(`${receiver} got ${name} ${data.serial} after ${latest}`)
    this.#latest.set(name, data.serial)
  }
}
