import { Agent } from 'undici'
import { jsonIn, responseText } from '#platform/response-text.ts'
import { isPublicAddress } from '../webhook-http/guard.ts'
import type { Resolve } from '../webhook-http/resolve.ts'

/** The response of a server: its status, its JSON if there is any, and its Retry-After. */
export interface JsonAnswer {
  readonly status: number
  /** Undefined: the body was not JSON. */
  readonly body: unknown
  /** Retry-After in seconds. */
  readonly retryAfterS: number | null
}

export interface GuardedFetchOptions {
  /** `host:port` from the operator's settings: it may be private, and may be used without TLS. */
  readonly trusted: ReadonlySet<string>
  readonly resolve: Resolve
  /** Time limit for one answer, including redirects. */
  readonly timeoutMs: number
}

/** The media types to request, and the maximum number of bytes to read. */
export interface JsonWish {
  readonly accept: string
  readonly maxBytes: number
}

/** Maximum number of redirects (RFC 7480 §5.2 allows redirects). */
const maxRedirects = 3

/**
 * Fetches JSON from servers that are not trusted, and fails on anything unusual: a private address, no TLS, a response that is too long or too
 * slow, a redirect loop. It connects only to the addresses that it checked.
 */
export class GuardedFetch {
  readonly #options: GuardedFetchOptions
  readonly #guarded: Agent
  readonly #trusting: Agent

  constructor(options: GuardedFetchOptions) {
    this.#options = options
    const { resolve, timeoutMs } = options
    this.#guarded = agent(timeoutMs, (host) => publicAddresses(resolve, host))
    this.#trusting = agent(timeoutMs, (host) => (host === 'localhost' ? loopback : resolve(host)))
  }

  /** Undefined: no usable response. Never rejects. */
  async get(url: URL, { accept, maxBytes }: JsonWish): Promise<JsonAnswer | undefined> {
    const signal = AbortSignal.timeout(this.#options.timeoutMs)
    try {
      let at = url
      for (let redirects = 0; redirects <= maxRedirects; redirects++) {
        if (!this.#mayAsk(at)) return undefined
        const answer = await this.#agentFor(at).request({
          origin: at.origin,
          path: at.pathname + at.search,
          method: 'GET',
          headers: { accept, 'user-agent': 'Zonewright' },
          signal,
        })
        const { location } = answer.headers
        if (answer.statusCode < 300 || answer.statusCode >= 400 || typeof location !== 'string')
          return {
            status: answer.statusCode,
            body: jsonIn(await responseText(answer.body, maxBytes)),
            retryAfterS: secondsIn(answer.headers['retry-after']),
          }
        await answer.body.dump({ limit: maxBytes, signal })
        at = new URL(location, at)
      }
      return undefined
    } catch {
      return undefined
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#guarded.destroy(), this.#trusting.destroy()])
  }

  #agentFor(url: URL): Agent {
    return this.#options.trusted.has(hostPortOf(url)) ? this.#trusting : this.#guarded
  }

  /** Allows only https to a name or a public address. The addresses of a name are checked on connecting. */
  #mayAsk(url: URL): boolean {
    if (this.#options.trusted.has(hostPortOf(url))) return url.protocol === 'http:' || url.protocol === 'https:'
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const isLiteral = host.includes(':') || /^[\d.]+$/.test(host)
    return url.protocol === 'https:' && url.username === '' && (!isLiteral || isPublicAddress(host))
  }
}

/** Connects only to the addresses that `addressesOf` finds for a name. */
function agent(timeoutMs: number, addressesOf: (host: string) => Addresses | Promise<Addresses>): Agent {
  return new Agent({
    connections: 4,
    maxHeaderSize: 16 * 1024,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: {
      timeout: timeoutMs,
      lookup: async (host, { all }, callback) => {
        try {
          const addresses = await addressesOf(host)
          const [first] = addresses
          if (first === undefined) throw new Error(`${host} has no address`)
          if (all) callback(null, [...addresses])
          else callback(null, first.address, first.family)
        } catch (error) {
          callback(error as Error, '')
        }
      },
    },
  })
}

type Addresses = Awaited<ReturnType<Resolve>>

/** DNS servers do not have to know this name (RFC 6761 §6.3). */
const loopback: Addresses = [{ address: '127.0.0.1', family: 4 }]

export function hostPortOf(url: URL): string {
  return `${url.hostname}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`
}

async function publicAddresses(resolve: Resolve, host: string): Promise<Addresses> {
  const addresses = await resolve(host)
  if (addresses.some(({ address }) => !isPublicAddress(address))) throw new Error(`${host} is not at a public address`)
  return addresses
}

function secondsIn(header: string | string[] | undefined): number | null {
  const seconds = Number(header)
  return typeof header === 'string' && Number.isFinite(seconds) && seconds >= 0 ? seconds : null
}
