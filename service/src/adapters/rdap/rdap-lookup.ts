import { getPublicSuffix } from 'tldts'
import type { RegistryEntry, RegistryLookup } from '#ports/registry-lookup.ts'
import type { Resolve } from '../webhook-http/resolve.ts'
import { Bootstrap } from './bootstrap.ts'
import { GuardedFetch, hostPortOf } from './guarded-fetch.ts'
import { readDomain } from './read-domain.ts'

export interface RdapLookupOptions {
  /** The URL of IANA's list of servers, or of another list in its format. Its host may be private. */
  readonly bootstrap: URL
  readonly resolve: Resolve
  readonly timeoutMs: number
}

/** The data of a domain is a few KB. */
const wish = { accept: 'application/rdap+json, application/json', maxBytes: 64 * 1024 }
/** Maximum number of simultaneous queries to one server. */
const atOnce = 4
/** How long a server that returns 429 is not queried, in seconds. */
const pause = { usualS: 60, mostS: 3_600 }

/** Queries registries over RDAP (RFC 7480, 9082, 9083) for their data on a domain: access is public, but rate-limited. */
export class RdapLookup implements RegistryLookup {
  readonly #fetch: GuardedFetch
  readonly #bootstrap: Bootstrap
  readonly #timeoutMs: number
  readonly #servers = new Map<string, ServerQueue>()

  constructor({ bootstrap, resolve, timeoutMs }: RdapLookupOptions) {
    this.#fetch = new GuardedFetch({ trusted: new Set([hostPortOf(bootstrap)]), resolve, timeoutMs })
    this.#timeoutMs = timeoutMs
    this.#bootstrap = new Bootstrap(bootstrap, this.#fetch)
  }

  async entryOf(domain: string): Promise<RegistryEntry | undefined> {
    const server = await this.#bootstrap.serverOf(domain)
    if (server === undefined || !isRegistrable(domain, server.zone)) return undefined
    const queue = this.#queueOf(server.base)
    const answer = await queue.ask(() => this.#fetch.get(new URL(`domain/${domain}`, server.base), wish))
    if (answer?.status === 429 || answer?.status === 503) queue.pause(answer.retryAfterS ?? pause.usualS)
    if (answer?.status === 404) return { nameservers: [], expiresAt: null, registrar: null }
    return answer?.status === 200 ? readDomain(answer.body, domain) : undefined
  }

  close(): Promise<void> {
    return this.#fetch.close()
  }

  #queueOf({ host }: URL): ServerQueue {
    const queue = this.#servers.get(host) ?? new ServerQueue(this.#timeoutMs)
    this.#servers.set(host, queue)
    return queue
  }
}

/** Whether this is a registered domain, and not a name below one. */
function isRegistrable(domain: string, zone: string): boolean {
  const parent = domain.slice(domain.indexOf('.') + 1)
  return parent === zone || getPublicSuffix(domain, { allowPrivateDomains: false }) === parent
}

/** The queries to one server: a few at once. Waiting queries fail if their turn does not come in time. */
class ServerQueue {
  readonly #patienceMs: number
  readonly #waiting = new Set<() => void>()
  #asking = 0
  #silentUntilMs = Number.NEGATIVE_INFINITY

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs
  }

  async ask<T>(question: () => Promise<T | undefined>): Promise<T | undefined> {
    if (!(await this.#turn())) return undefined
    try {
      return this.#isSilent ? undefined : await question()
    } finally {
      const [next] = this.#waiting
      // The next waiting query gets the slot.
      if (next) next()
      else this.#asking -= 1
    }
  }

  pause(seconds: number): void {
    this.#silentUntilMs = performance.now() + Math.min(seconds, pause.mostS) * 1_000
  }

  async #turn(): Promise<boolean> {
    if (this.#isSilent) return false
    if (this.#asking < atOnce) {
      this.#asking += 1
      return true
    }
    return await new Promise((resolve) => {
      const end = (isMine: boolean): void => {
        clearTimeout(timer)
        this.#waiting.delete(come)
        resolve(isMine)
      }
      const come = (): void => end(true)
      const timer = setTimeout(() => end(false), this.#patienceMs)
      this.#waiting.add(come)
    })
  }

  get #isSilent(): boolean {
    return performance.now() < this.#silentUntilMs
  }
}
