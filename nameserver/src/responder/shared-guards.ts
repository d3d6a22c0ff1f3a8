import { CookieJar } from '../cookies/cookie-jar.ts'
import { keepaliveOption, nsidOption } from '../edns/fixed-option.ts'
import { Counters } from '../metrics/counters.ts'
import { RateLimiter } from '../rate-limit/rate-limiter.ts'
import type { Guards } from './table-responder.ts'

/** The shared memory of cookies, rate limits and counters, and their settings. */
export interface SharedGuards {
  readonly cookies: SharedArrayBuffer
  /** Absent: no limits. */
  readonly limiter?: SharedArrayBuffer | undefined
  readonly counters: SharedArrayBuffer
  readonly nsid?: string | undefined
  /** How long a TCP connection may be silent. */
  readonly tcpIdleMs: number
}

/** What one thread answers with. Threads are counted from 0, which is the main thread. */
export function attachGuards({ cookies, limiter, counters, nsid, tcpIdleMs }: SharedGuards, thread: number): Guards {
  return {
    cookies: new CookieJar(cookies),
    limiter: limiter && new RateLimiter(limiter),
    counters: new Counters(counters, thread),
    nsid: nsid === undefined ? undefined : nsidOption(nsid),
    keepalive: keepaliveOption(tcpIdleMs),
  }
}
