import type { IncomingHttpHeaders } from 'node:http'
import { Behaviours } from '../behaviours.ts'
import type { Behaviour } from './behaviour.ts'
import { type Doubt, doubtOf } from './verify.ts'

/** A request that a receiver got, as the log shows it. */
export interface Received {
  /** The sequence number of the request among those of all receivers, from 1. */
  readonly number: number
  readonly receiver: string
  readonly at: string
  readonly verified: boolean
  /** Why it is not verified. */
  readonly doubt: Doubt | null
  /** The same event id arrived before, and got a 2xx response. */
  readonly repeated: boolean
  readonly event_id: string | null
  readonly event_type: string | null
  /** The status of the response; null if no response was to be sent. */
  readonly status: number | null
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const keptRequests = 1_000
const keptEventIds = 100_000

/** The state of the receivers: their secrets, their behaviors, and the last thousand requests. */
export class Inbox {
  readonly #secrets = new Map<string, string>()
  readonly #behaviours = new Behaviours<Behaviour>()
  readonly #handled = new Set<string>()
  #received: Received[] = []
  #count = 0

  /** Newest last. */
  received(receiver?: string, after = 0): Received[] {
    return this.#received.filter(
      (request) => request.number > after && (receiver === undefined || request.receiver === receiver),
    )
  }

  forget(): void {
    this.#received = []
    this.#handled.clear()
  }

  get secrets(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#secrets)
  }

  setSecret(receiver: string, secret: string): void {
    this.#secrets.set(receiver, secret)
  }

  /** Without a name, it applies to all receivers without their own behavior. */
  behave(behaviour: Behaviour, receiver = ''): void {
    this.#behaviours.set(behaviour, receiver)
  }

  /** Stores a request, and decides how to respond to it. */
  take(receiver: string, headers: IncomingHttpHeaders, body: Buffer): { request: Received; behaviour: Behaviour } {
    const nowMs = Date.now()
    const doubt = doubtOf(one(headers['service-signature']), body, this.#secrets.get(receiver), nowMs)
    const behaviour = this.#behaviours.take(receiver) ?? {}
    const eventId = one(headers['service-event-id']) ?? null
    const status = statusOf(behaviour, doubt)
    const handled = `${receiver} ${eventId}`
    this.#count += 1
    const request: Received = {
      number: this.#count,
      receiver,
      at: new Date(nowMs).toISOString(),
      verified: doubt === null,
      doubt,
      repeated: this.#handled.has(handled),
      event_id: eventId,
      event_type: one(headers['service-event-type']) ?? null,
      status,
      headers,
      body: body.toString('utf8'),
    }
    this.#received.push(request)
    if (this.#received.length > keptRequests * 2) this.#received = this.#received.slice(-keptRequests)
    if (status !== null && status < 300 && this.#handled.size < keptEventIds) this.#handled.add(handled)
    return { request, behaviour }
  }
}

function statusOf({ hang, reset, status, redirect }: Behaviour, doubt: Doubt | null): number | null {
  if (hang || reset) return null
  if (status !== undefined) return status
  if (redirect !== undefined) return 302
  return doubt === null || doubt === 'no secret is known for this receiver' ? 200 : 400
}

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
