import { setTimeout as wait } from 'node:timers/promises'
import {
  checkIpPerMinute,
  filesPerMinute,
  type OutsideKind,
  outsideCallsPerMinute,
  requestsPerMinute,
} from '@zonewright/contract'
import { Refusal } from '../errors.ts'
import type { Metrics } from '../figures/metrics.ts'
import { networkOf, siteOf } from '../network-of.ts'
import { type Pace, type Place, type RateLimit, Rates } from '../rates.ts'

const windowS = 60

/** Limits that each API process keeps in its memory. A key's own limit is kept in the database (`api-keys/minute.ts`). */
export const memoryLimits = {
  session: limit('session', requestsPerMinute.session, 'This session made % requests', { burst: 60, perSecond: 20 }),
  address: limit('address', requestsPerMinute.address, 'Your network made % requests without a key or session', {
    burst: 120,
    perSecond: 30,
  }),
  /** An IPv6 /48 has 65,536 networks. */
  site: limit('site', requestsPerMinute.site, 'Your site (an IPv6 /48) made % requests without a key or session', {
    burst: 600,
    perSecond: 100,
  }),
  /** The dashboard's files: cheap to send, and many offices share one address. */
  file: limit('file', filesPerMinute, 'Your network loaded % files', { burst: 600, perSecond: 100 }),
  checkIp: limit('checkIp', checkIpPerMinute, 'Your network requested its address % times'),
  dns: outside('dns', '% calls that query nameservers or resolvers', { burst: 30, perSecond: 10 }),
  check: outside('check', '% checks of domain names', { burst: 10, perSecond: 2 }),
  quote: outside('quote', '% quotes', { burst: 120, perSecond: 30 }),
  registry: outside('registry', '% calls that change domains at registries'),
  receiver: outside('receiver', '% calls that contact webhook receivers'),
} as const satisfies Record<string, RateLimit>

function outside(kind: OutsideKind, what: string, pace?: Pace): RateLimit {
  return limit(kind, outsideCallsPerMinute[kind], `This account made ${what}`, pace)
}

function limit(name: string, most: number, excess: string, pace?: Pace): RateLimit {
  const told = `${excess.replace('%', String(most))} within a minute`
  return { name, most, windowS, excess: told, ...(pace && { pace }) }
}

export type MemoryLimit = keyof typeof memoryLimits

/** How callers are limited. `limits`: those of tests. */
export interface RequestLimitsOptions {
  readonly signedSession: SignedSession
  readonly limits?: Readonly<Record<MemoryLimit, RateLimit>> | undefined
}

/** The parts of a request that determine whose limit it counts toward. */
export interface RequestOrigin {
  readonly cookie: string | undefined
  readonly address: string
}

/** The session whose token a cookie holds, if the cookie has our signature. The session may have ended. */
export type SignedSession = (cookie: string | undefined) => string | undefined

/**
 * The limits of requests without a key, and of calls that contact other servers.
 *
 * Nothing here uses the database, so that a refusal costs little.
 */
export class RequestLimits {
  readonly #signedSession: SignedSession
  readonly #rates: Readonly<Record<MemoryLimit, Rates>>
  readonly #refusedKeys = new Rates({ name: 'key', most: 0, windowS, excess: '' })
  readonly #refused: ReturnType<Metrics['counter']>
  readonly #leaving: AbortSignal

  /** @param leaving aborted when the process stops: requests that wait for their turn then continue immediately */
  constructor({ signedSession, limits = memoryLimits }: RequestLimitsOptions, metrics: Metrics, leaving: AbortSignal) {
    this.#signedSession = signedSession
    this.#leaving = leaving
    this.#rates = Object.fromEntries(Object.entries(limits).map(([name, limit]) => [name, new Rates(limit)])) as Record<
      MemoryLimit,
      Rates
    >
    this.#refused = metrics.counter({
      name: 'zonewright_http_rate_limited_total',
      help: 'Requests refused with 429, by the limit that they exceeded.',
      labelNames: ['limit'],
    })
  }

  /**
   * Counts a request without a key toward the limit of its session, or else of its address. Waits for its turn if there are many at once.
   *
   * Returns headers for the response. A request that counts toward an address gets none.
   *
   * @throws Refusal `rate_limited`
   */
  async admit({ cookie, address }: RequestOrigin): Promise<Readonly<Record<string, string>>> {
    const session = this.#signedSession(cookie)
    if (session !== undefined) return this.#take('session', session)
    await this.admitStranger(address)
    return {}
  }

  /** Counts a request without a valid key or session toward the limit of its address. @throws Refusal `rate_limited` */
  async admitStranger(address: string): Promise<void> {
    const [site, network] = [siteOf(address), networkOf(address)]
    // First: a site that takes a new network for each request must not fill the table of networks.
    if (site !== network) await this.#take('site', site)
    await this.#take('address', network)
  }

  /** Counts a file of the dashboard toward its address's limit, even if a person is signed in. @throws Refusal `rate_limited` */
  async admitFile(address: string): Promise<void> {
    await this.#take('file', networkOf(address))
  }

  /** Counts a request toward the limit of its address. @throws Refusal `rate_limited` */
  async admitCheckIp(address: string): Promise<void> {
    await this.#take('checkIp', networkOf(address))
  }

  /** Counts a call that asks other servers. @throws Refusal `rate_limited` */
  async admitOutside(kind: OutsideKind, accountId: string): Promise<void> {
    await this.#take(kind, accountId)
  }

  /** Delays the refusal of a key that has reached its own limit, as other refusals are delayed. */
  async holdKey(secret: string): Promise<void> {
    this.#refused.inc({ limit: 'key' })
    await this.#hold(this.#refusedKeys.take(secret))
  }

  async #take(name: MemoryLimit, caller: string): Promise<Readonly<Record<string, string>>> {
    const rates = this.#rates[name]
    const place = rates.take(caller)
    await this.#hold(place)
    const headers = headersOf(rates.limit, place)
    if (place.isAdmitted) return headers
    this.#refused.inc({ limit: name })
    throw tooMany(rates.limit, place, headers)
  }

  async #hold({ waitMs }: Place): Promise<void> {
    if (waitMs >= 1) await wait(waitMs, undefined, { signal: this.#leaving }).catch(() => undefined)
  }
}

/** The response headers for a caller's limit (draft-ietf-httpapi-ratelimit-headers), in the same form as for keys. */
function headersOf({ most }: RateLimit, { remaining, resetS }: Place): Record<string, string> {
  return {
    'ratelimit-policy': `"minute";q=${most};w=${windowS}`,
    ratelimit: `"minute";r=${remaining};t=${resetS}`,
  }
}

function tooMany({ excess }: RateLimit, { resetS }: Place, headers: Record<string, string>): Refusal {
  return new Refusal('rate_limited', `${excess}. Try again in ${resetS} s.`, {
    headers: { ...headers, 'retry-after': String(resetS) },
  })
}
