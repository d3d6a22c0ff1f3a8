import { readFileSync } from 'node:fs'
import { Agent, type Dispatcher, errors } from 'undici'
import { Deadline } from '#platform/deadline.ts'
import {
  type FailureWord,
  GivenUp,
  type WebhookAnswer,
  type WebhookHttp,
  type WebhookRequest,
} from '#ports/webhook-http.ts'
import { ConnectFailure, Connector } from './connect.ts'
import { readTarget, type Target } from './guard.ts'
import { NewConnections } from './new-connections.ts'
import { createResolve, type Resolve } from './resolve.ts'

/** The receiver must answer within this, name look-up, connection and TLS included (specification, "Limits"). */
const answerWithinMs = 10_000
const maxHeaderBytes = 64 * 1024
const maxBodyBytes = 16 * 1024
/** A look-up at saving that takes longer is taken for "nobody could say": every send checks again. */
const savingLookUpMs = 3_000
/** How often a request is sent anew because the kept connection that it was written to had just been closed. */
const maxStaleConnections = 3

export interface WebhookHttpOptions {
  /** `host:port` of receivers that may be private: WEBHOOK_TRUSTED_TARGETS. */
  readonly trustedTargets?: readonly string[]
  /** PEM certificates of authorities to trust beside those that Node trusts: WEBHOOK_CA_FILE. Read once. */
  readonly caFile?: string | undefined
  /** How names become addresses; by default the machine's DNS servers are asked. */
  readonly resolve?: Resolve
}

/** Sends webhooks by undici, over kept HTTP/1.1 connections to checked addresses. */
export function createWebhookHttp(options: WebhookHttpOptions = {}): WebhookHttp {
  return new UndiciWebhookHttp(options)
}

class UndiciWebhookHttp implements WebhookHttp {
  readonly #trusted: ReadonlySet<string>
  readonly #connector: Connector
  readonly #agent: Agent
  /** Tells whether a request that broke was on a kept connection. */
  readonly #connections = new NewConnections()

  constructor({ trustedTargets = [], caFile, resolve = createResolve() }: WebhookHttpOptions) {
    this.#trusted = new Set(trustedTargets)
    const ca = caFile === undefined ? undefined : readFileSync(caFile, 'utf8')
    this.#connector = new Connector({ resolve, trusted: this.#trusted, ca })
    this.#agent = new Agent({
      allowH2: false,
      pipelining: 1,
      maxHeaderSize: maxHeaderBytes,
      keepAliveTimeout: 20_000,
      keepAliveMaxTimeout: 60_000,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (to, callback) => this.#connect(to, callback),
    })
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
      (error: ConnectFailure) => (error.word === 'refused_address' ? error.message : null),
    )
    return await Promise.race([looked, enough]).finally(() => clearTimeout(timer))
  }

  async post(request: WebhookRequest): Promise<WebhookAnswer> {
    if (request.signal?.aborted) throw new GivenUp()
    const target = readTarget(request.url, this.#trusted)
    if (typeof target === 'string') return failed('refused_address')
    const limit = new AbortController()
    const deadline = new Deadline(answerWithinMs, () => limit.abort())
    const giveUp = (): void => limit.abort()
    request.signal?.addEventListener('abort', giveUp)
    try {
      return await this.#send(target, request, limit.signal)
    } catch (error) {
      if (request.signal?.aborted) throw new GivenUp()
      return failed(limit.signal.aborted ? 'timeout' : wordOf(error))
    } finally {
      deadline.met()
      request.signal?.removeEventListener('abort', giveUp)
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy()
  }

  #send({ url }: Target, request: WebhookRequest, signal: AbortSignal): Promise<WebhookAnswer> {
    return this.#connections.during(url.host, async (sinceNow) => {
      for (let stale = 0; ; stale += 1) {
        const wasMade = sinceNow()
        try {
          const asked = this.#agent.request({
            origin: url.origin,
            path: url.pathname + url.search,
            method: 'POST',
            headers: request.headers,
            body: request.body,
            signal,
          })
          // A request that has no connection yet hears of its signal only once it has one.
          return await readAnswer(await Promise.race([asked, aborted(signal)]), signal)
        } catch (error) {
          if (wasMade() || !isBroken(error) || stale >= maxStaleConnections || signal.aborted) throw error
        }
      }
    })
  }

  #connect(to: { protocol: string; host?: string; hostname: string }, callback: ConnectCallback): void {
    const target = readTarget(`${to.protocol}//${to.host ?? to.hostname}`, this.#trusted)
    if (typeof target === 'string') {
      callback(new ConnectFailure('refused_address', target), null)
      return
    }
    this.#connector.open(target, answerWithinMs).then(
      (socket) => {
        this.#connections.made(target.url.host)
        callback(null, socket)
      },
      (error: Error) => callback(error, null),
    )
  }
}

type ConnectCallback = Parameters<Extract<NonNullable<Agent.Options['connect']>, (...args: never[]) => void>>[1]

async function readAnswer(answer: Dispatcher.ResponseData, signal: AbortSignal): Promise<WebhookAnswer> {
  const status = answer.statusCode
  return {
    status,
    failure: status >= 200 && status < 300 ? null : status >= 300 && status < 400 ? 'redirect' : 'status',
    headers: headersOf(answer.headers),
    body: await readBody(answer.body, signal),
  }
}

function headersOf(headers: Dispatcher.ResponseData['headers']): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** As much of the body as comes in the time left. A body that goes on costs the connection, nothing else. */
async function readBody(body: Dispatcher.ResponseData['body'], signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      chunks.push(chunk)
      size += chunk.length
      if (size > maxBodyBytes || signal.aborted) break
    }
  } catch {
    // The outcome was decided by the status line; what came of the body is kept.
  }
  return Buffer.concat(chunks).subarray(0, maxBodyBytes).toString('utf8')
}

/** Rejects as soon as the signal is aborted. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (): void => reject(signal.reason as Error)
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
}

function isBroken(error: unknown): boolean {
  return (
    error instanceof errors.SocketError ||
    (error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE'))
  )
}

function wordOf(error: unknown): FailureWord {
  if (error instanceof ConnectFailure) return error.word
  if (error instanceof errors.HeadersOverflowError) return 'too_large'
  return 'connect'
}

function failed(failure: FailureWord): WebhookAnswer {
  return { status: null, failure, headers: null, body: null }
}
