import { type DomainName, type Message, parentOf, RrType, rdataToText, rootName } from '@zonewright/dns'
import { ask, type Server } from './ask.ts'
import { hostNamesOf } from './host-names.ts'

/** How the servers of a zone's parent are found. */
export interface ParentServersOptions {
  /**
   * A resolver. One that answers with authority and offers no recursion is itself a server of the parent, and is asked in
   * the place of those that it names.
   */
  readonly resolver: Server
  /** May this address be asked? Names are chosen by strangers, who could name hosts of our own network. */
  readonly mayAsk: (address: string) => boolean
  /** Where servers that were found by name answer. */
  readonly port: number
  readonly timeoutMs: number
}

/** Names of servers whose addresses are looked up. */
const maxNames = 6
const maxKept = 10_000
/** How long what was found is kept, in seconds; what was not found is asked for again soon. */
const kept = { leastS: 60, mostS: 3_600, failedS: 10 }

interface Found {
  readonly servers: readonly Server[]
  readonly ttlS: number
}

/** The servers of the zones above zones: found through the resolver, and remembered, since most zones share a few parents. */
export class ParentServers {
  readonly #options: ParentServersOptions
  readonly #kept = new Map<DomainName, { found: Promise<Found>; untilMs: number }>()

  constructor(options: ParentServersOptions) {
    this.#options = options
  }

  /** The servers of the zone that `zone` is delegated from; none when they cannot be found. Never rejects. */
  async above(zone: DomainName): Promise<readonly Server[]> {
    const at = parentOf(zone)
    const known = this.#kept.get(at)
    if (known !== undefined && known.untilMs > performance.now()) return (await known.found).servers
    const entry = { found: this.#find(at), untilMs: Number.POSITIVE_INFINITY }
    this.#keep(at, entry)
    const { servers, ttlS } = await entry.found
    entry.untilMs = performance.now() + ttlS * 1_000
    return servers
  }

  /** Forgets the servers above a zone: they did not know it. */
  forget(zone: DomainName): void {
    this.#kept.delete(parentOf(zone))
  }

  #keep(at: DomainName, entry: { found: Promise<Found>; untilMs: number }): void {
    this.#kept.delete(at)
    this.#kept.set(at, entry)
    const [oldest] = this.#kept.keys()
    if (oldest !== undefined && this.#kept.size > maxKept) this.#kept.delete(oldest)
  }

  /** Goes up from the name above the zone to the first that has nameservers: the parent's apex. */
  async #find(above: DomainName): Promise<Found> {
    for (let at = above; ; at = parentOf(at)) {
      const answer = await this.#resolve(at, RrType.NS)
      if (answer === undefined) break
      const records = [...answer.answers, ...answer.authorities].filter(
        (record) => record.type === RrType.NS && record.name === at,
      )
      if (records.length > 0) {
        const ttlS = Math.min(Math.max(kept.leastS, ...records.map(({ ttl }) => ttl)), kept.mostS)
        if (answer.aa && !answer.ra) return { servers: [this.#options.resolver], ttlS }
        const servers = await this.#addressesOf(hostNamesOf(records.map(({ data }) => data)))
        return { servers, ttlS: servers.length > 0 ? ttlS : kept.failedS }
      }
      if (at === rootName) break
    }
    return { servers: [], ttlS: kept.failedS }
  }

  async #addressesOf(names: readonly string[]): Promise<Server[]> {
    const asked = names.slice(0, maxNames).flatMap((name) =>
      [RrType.A, RrType.AAAA].map(async (type) => {
        const answer = await this.#resolve(`${name}.` as DomainName, type)
        return (answer?.answers ?? [])
          .filter((record) => record.type === type)
          .map((record) => rdataToText(type, record.data))
      }),
    )
    const addresses = new Set((await Promise.all(asked)).flat().filter(this.#options.mayAsk))
    return [...addresses].map((host) => ({ host, port: this.#options.port }))
  }

  /** Asked twice at most: a datagram may be lost. */
  async #resolve(name: DomainName, type: RrType): Promise<Message | undefined> {
    const { resolver, timeoutMs } = this.#options
    for (let tries = 0; tries < 2; tries++) {
      const answer = await ask(resolver, { name, type, recursive: true, timeoutMs })
      if (typeof answer !== 'string') return answer
    }
    return undefined
  }
}
