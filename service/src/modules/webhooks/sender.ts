import type { SecretBox } from '#platform/secrets.ts'
import type { WebhookHttp } from '#ports/webhook-http.ts'
import type { Attempt, DueDelivery, LaneWork } from './attempt.ts'
import { type FixedHeaders, maskHeaders, openHeaders } from './fixed-headers.ts'
import { sendUntilMs } from './rules.ts'
import { webhookHeaders } from './signature.ts'

/** Maximum size of a response's headers that is stored with the attempt. */
const maxKeptHeaderBytes = 16 * 1024

/** The sealed data of an endpoint, decrypted. */
interface Opened {
  readonly secrets: readonly string[]
  readonly headers: FixedHeaders
}

/** Makes attempts: signs an event with the current time, and posts it. */
export class Sender {
  readonly #http: WebhookHttp
  readonly #secrets: SecretBox
  readonly #site: string
  readonly #opened = new WeakMap<LaneWork, Opened>()

  constructor({ http, secrets, site }: { http: WebhookHttp; secrets: SecretBox; site: string }) {
    this.#http = http
    this.#secrets = secrets
    this.#site = site
  }

  /** Rejects only with GivenUp, if the signal was aborted or the lease is about to end. */
  async send(
    work: LaneWork,
    delivery: DueDelivery,
    body: Uint8Array,
    readAt: number,
    signal: AbortSignal,
  ): Promise<Attempt> {
    const began = performance.now()
    // The database's clock, advanced by ours since it was read.
    const startedAt = new Date(work.now.getTime() + (began - readAt))
    const { secrets, headers: fixed } = this.#openedOf(work)
    const headers = webhookHeaders({
      eventId: delivery.eventId,
      eventType: delivery.eventType,
      at: Math.floor(startedAt.getTime() / 1000),
      body,
      secrets,
      site: this.#site,
      isTest: delivery.isTest,
    })
    const answer = await this.#http.post({
      url: work.url,
      headers: { ...headers, ...fixed },
      body,
      untilMs: sendUntilMs(work),
      signal,
    })
    return {
      startedAt,
      durationMs: Math.round(performance.now() - began),
      status: answer.status,
      failure: answer.failure,
      failureDetail: answer.failureDetail,
      resent: answer.resent,
      requestHeaders: { ...headers, ...maskHeaders(fixed) },
      responseHeaders: answer.headers && firstHeaders(answer.headers),
      // PostgreSQL's text cannot contain this character.
      responseBody: answer.body?.replaceAll('\0', '\uFFFD') ?? null,
    }
  }

  /** Decrypted once for all deliveries of a group. */
  #openedOf(work: LaneWork): Opened {
    const known = this.#opened.get(work)
    if (known !== undefined) return known
    const opened = {
      secrets: work.secrets.map((sealed) => this.#secrets.open('webhook_endpoints.secrets', work.endpointId, sealed)),
      headers: openHeaders(this.#secrets, work.endpointId, work.headers),
    }
    this.#opened.set(work, opened)
    return opened
  }
}

type Headers = NonNullable<Attempt['responseHeaders']>

/** The first headers, up to the maximum size: a receiver may send 64 KiB of them in every response. */
export function firstHeaders(headers: Headers): Headers {
  let bytes = 0
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => {
      bytes += [value].flat().reduce((sum, one) => sum + name.length + one.length, 0)
      return bytes <= maxKeptHeaderBytes
    }),
  )
}
