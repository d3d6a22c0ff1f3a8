import type { GuardedFetch } from './guarded-fetch.ts'

/** How long the list is kept, and when a failed download of it is repeated. Milliseconds. */
const kept = { listMs: 24 * 3_600_000, failureMs: 10 * 60_000 }

/** IANA's list has about 100 KB. */
const maxBytes = 4 * 1024 * 1024

/** The list of the registries' RDAP servers, in IANA's format (RFC 9224). It is fetched on first use. */
export class Bootstrap {
  readonly #url: URL
  readonly #fetch: GuardedFetch
  #services: ReadonlyMap<string, URL> = new Map()
  #fetching: Promise<void> | undefined
  #dueAtMs = Number.NEGATIVE_INFINITY

  constructor(url: URL, fetch: GuardedFetch) {
    this.#url = url
    this.#fetch = fetch
  }

  /** The RDAP server for a domain, and the zone for which the list names it; undefined: there is none. */
  async serverOf(domain: string): Promise<{ readonly zone: string; readonly base: URL } | undefined> {
    if (performance.now() >= this.#dueAtMs) {
      this.#fetching ??= this.#renew()
      await this.#fetching
    }
    // The longest zone decides (RFC 9224 §4).
    for (let zone = above(domain); zone !== ''; zone = above(zone)) {
      const base = this.#services.get(zone)
      if (base !== undefined) return { zone, base }
    }
    return undefined
  }

  async #renew(): Promise<void> {
    const answer = await this.#fetch.get(this.#url, { accept: 'application/json', maxBytes })
    const services = answer?.status === 200 ? readServices(answer.body) : undefined
    // If the list cannot be fetched, the previous one is kept.
    if (services !== undefined) this.#services = services
    this.#dueAtMs = performance.now() + (services === undefined ? kept.failureMs : kept.listMs)
    this.#fetching = undefined
  }
}

function above(name: string): string {
  const dot = name.indexOf('.')
  return dot < 0 ? '' : name.slice(dot + 1)
}

/** Maps zones to base URLs. Unreadable entries are left out. Undefined if it is not a list of RDAP servers. */
function readServices(body: unknown): ReadonlyMap<string, URL> | undefined {
  const services = (body as { services?: unknown } | null | undefined)?.services
  if (!Array.isArray(services)) return undefined
  const bases = new Map<string, URL>()
  for (const service of services) {
    const [zones, urls] = Array.isArray(service) ? service : []
    const base = Array.isArray(urls) ? preferred(urls) : undefined
    if (base === undefined || !Array.isArray(zones)) continue
    for (const zone of zones) if (typeof zone === 'string') bases.set(zone.toLowerCase().replace(/\.$/, ''), base)
  }
  return bases
}

/** The URL with https, if there is one (RFC 9224 §3). */
function preferred(urls: readonly unknown[]): URL | undefined {
  const usable = urls.filter((url): url is string => typeof url === 'string' && URL.canParse(url))
  const url = usable.find((each) => each.startsWith('https:')) ?? usable[0]
  return url === undefined ? undefined : new URL(url.endsWith('/') ? url : `${url}/`)
}
