import { readFileSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import {
  type FailureWord,
  GivenUp,
  type WebhookAnswer,
  type WebhookHttp,
  type WebhookRequest,
} from '#ports/webhook-http.ts'
import { Connector } from './connect.ts'
import { Connection, type Response, StaleConnection } from './connection.ts'
import { bytesOf, SendFailure, shownText } from './failure.ts'
import { readTarget, type Target } from './guard.ts'
import { KeptConnections } from './kept-connections.ts'
import { createResolve, type Resolve } from './resolve.ts'
import { TimeLimit } from './time-limit.ts'

/** The receiver must answer within this time, including name lookup, connection and TLS (specification, "Limits"). */
const answerWithinMs = 10_000
/** A lookup on saving that takes longer counts as "unknown": every send checks again. */
const savingLookUpMs = 3_000

export interface WebhookHttpOptions {
  /** `host:port` of receivers that may be private: WEBHOOK_TRUSTED_TARGETS. */
  readonly trustedTargets?: readonly string[]
  /** PEM certificates of authorities to trust in addition to those that Node trusts: WEBHOOK_CA_FILE. Read once. */
  readonly caFile?: string | undefined
  /** How names become addresses. By default, queries the machine's DNS servers. */
  readonly resolve?: Resolve
}

/** Sends webhooks over kept HTTP/1.1 connections to checked addresses. */
export function createWebhookHttp(options: WebhookHttpOptions = {}): WebhookHttp {
  return new KeptWebhookHttp(options)
}

class KeptWebhookHttp implements WebhookHttp {
  readonly #trusted: ReadonlySet<string>
  readonly #connector: Connector
  readonly #connections = new KeptConnections()

  constructor({ trustedTargets = [], caFile, resolve = createResolve() }: WebhookHttpOptions) {
    this.#trusted = new Set(trustedTargets)
    const ca = caFile === undefined ? undefined : readFileSync(caFile, 'utf8')
    this.#connector = new Connector({ resolve, trusted: this.#trusted, ca })
  }

  async refusal(url: string): Promise<string | null> {
    const target = readTarget(url, this.#trusted)
    if (typeof target === 'string') return target
    let timer: NodeJS.Timeout | undefined
    const enough = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, savingLookUpMs, null)
    })
    const looked = this.#connector.addressesOf(target).then(
      () => null,
      (error: SendFailure) => (error.word === 'refused_address' ? error.message : null),
    )
    return await Promise.race([looked, enough]).finally(() => clearTimeout(timer))
  }

  async post(request: WebhookRequest): Promise<WebhookAnswer> {
    if (request.signal?.aborted) throw new GivenUp()
    const target = readTarget(request.url, this.#trusted)
    if (typeof target === 'string') return failed('refused_address', target, false)
    const limit = new TimeLimit(answerWithinMs, request.signal)
    const sent = { again: false }
    try {
      return answerOf(await this.#send(target, request, limit, sent), sent.again)
    } catch (error) {
      if (request.signal?.aborted) throw new GivenUp()
      if (error instanceof SendFailure) return failed(error.word, error.message, sent.again)
      throw error
    } finally {
      limit.release()
    }
  }

  async close(): Promise<void> {
    this.#connections.close()
  }

  /** Sends on a kept connection if there is one. If that is broken, repeats the request on a new one and sets `sent.again`. */
  async #send(target: Target, request: WebhookRequest, limit: TimeLimit, sent: { again: boolean }): Promise<Response> {
    const kept = this.#connections.take(target.url.host)
    if (kept !== undefined)
      try {
        return await this.#sendOn(kept, target, request, limit)
      } catch (error) {
        if (!(error instanceof StaleConnection)) throw error
        sent.again = true
      }
    const connection = new Connection(target, await this.#connector.open(target, limit))
    this.#connections.add(connection)
    return await this.#sendOn(connection, target, request, limit)
  }

  async #sendOn(connection: Connection, target: Target, request: WebhookRequest, limit: TimeLimit): Promise<Response> {
    if (request.untilMs !== undefined && performance.now() >= request.untilMs) {
      connection.destroy()
      throw new GivenUp()
    }
    const response = await connection.send(requestHead(target, request), request.body, limit)
    const keepAlive = response.head.headers['keep-alive']
    if (response.head.isKept && connection.isUsable) this.#connections.keep(connection, [keepAlive].flat().join())
    else connection.destroy()
    return response
  }
}

/**
 * The request line and the headers. They cannot contain a line break: the URL is parsed, and the headers are the service's own or were
 * checked when they were stored.
 */
function requestHead({ url }: Target, { headers, body }: WebhookRequest): string {
  let head = `POST ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: keep-alive\r\n`
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`
  return `${head}content-length: ${body.byteLength}\r\n\r\n`
}

function answerOf({ head, body }: Response, resent: boolean): WebhookAnswer {
  const { status, headers } = head
  const failure = failureOf(status)
  return {
    status,
    failure,
    failureDetail: failure && statusSentence(status, headers.location),
    resent,
    headers,
    body: body.toString('utf8'),
  }
}

function failureOf(status: number): FailureWord | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'redirect' : 'status'
}

function statusSentence(status: number, location: string | string[] | undefined): string {
  if (status === 101) return 'The receiver switched to another protocol (101), which the service did not ask for.'
  const reason = STATUS_CODES[status]
  const said = `The receiver answered with status ${status}${reason ? ` (${reason})` : ''}`
  if (status >= 400 || status < 300) return `${said}.`
  if (typeof location !== 'string') return `${said}; only a 2xx status counts as delivered.`
  return `${said}, a redirect to ${shownText(bytesOf(location))}; redirects are not followed.`
}

function failed(failure: FailureWord, failureDetail: string, resent: boolean): WebhookAnswer {
  return { status: null, failure, failureDetail, resent, headers: null, body: null }
}
