import {
  type DomainName,
  type Message,
  nameFromWire,
  parentOf,
  Rcode,
  RrType,
  rdataToText,
  rootName,
} from '@zonewright/dns'
import { type AskFailure, ask, type Server } from './ask.ts'

/** How the servers of a zone's parent are found. */
export interface ParentServersOptions {
  /**
   * A resolver. If it responds authoritatively and offers no recursion, it is itself a server of the parent, and is queried instead of those that it
   * names.
   */
  readonly resolver: Server
  /** Whether this address may be queried. Strangers choose the names, and could name hosts of our own network. */
  readonly mayAsk: (address: string) => boolean
  /** The port of servers that were found by name. */
  readonly port: number
  readonly timeoutMs: number
}

/** Names of servers whose addresses are looked up. */
const maxNames = 6
/**
 * The maximum time for going up from a name, as a multiple of the timeout of one response, because nameservers below could delay each step a little.
 */
const maxAnswerTimes = 6
const maxKept = 10_000
/** How long a response is cached, in seconds. A failed lookup is repeated soon. */
const kept = { leastS: 60, mostS: 3_600, failedS: 10 }

/** A server of a zone, identified by its name. All of its addresses count as the same server. */
export type NamedServer = readonly Server[]

/** The servers of a parent, as far as they were found. */
export interface FoundServers {
  readonly servers: readonly NamedServer[]
  /** False: there may be more, since the addresses of some could not be looked up. */
  readonly isWhole: boolean
}

interface Found extends FoundServers {
  readonly ttlS: number
}

const nothingFound: Found = { servers: [], isWhole: false, ttlS: kept.failedS }

/** The servers of parent zones. They are found through the resolver, and cached, because most zones share a few parents. */
export class ParentServers {
  readonly #options: ParentServersOptions
  readonly #kept = new Map<DomainName, { found: Promise<Found>; untilMs: number }>()

  constructor(options: ParentServersOptions) {
    this.#options = options
  }

  /** The servers of the zone that `zone` is delegated from; none if they cannot be found. Never rejects. */
  async above(zone: DomainName): Promise<FoundServers> {
    const at = parentOf(zone)
    const known = this.#kept.get(at)
    if (known !== undefined && known.untilMs > performance.now()) return await known.found
    const entry = { found: this.#find(at).catch(() => nothingFound), untilMs: Number.POSITIVE_INFINITY }
    this.#keep(at, entry)
    const found = await entry.found
    entry.untilMs = performance.now() + found.ttlS * 1_000
    return found
  }

  /** Removes the cached servers above a zone, because they did not know it. */
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
    const untilMs = performance.now() + maxAnswerTimes * this.#options.timeoutMs
    for (let at = above; ; at = parentOf(at)) {
      const said = await this.#resolve(at, RrType.NS, (answer) => readNameservers(answer, at))
      if (typeof said === 'string') break
      if (said.names.length > 0) {
        const ttlS = Math.min(Math.max(kept.leastS, said.ttlS), kept.mostS)
        if (said.isOwn) return { servers: [[this.#options.resolver]], isWhole: true, ttlS }
        const found = await this.#serversNamed(said.names)
        return { ...found, ttlS: found.isWhole && found.servers.length > 0 ? ttlS : kept.failedS }
      }
      if (at === rootName || performance.now() > untilMs) break
    }
    return nothingFound
  }

  async #serversNamed(names: readonly DomainName[]): Promise<FoundServers> {
    const looked = await Promise.all(names.slice(0, maxNames).map((name) => this.#addressesOf(name)))
    const servers = shareOut(looked.map((addresses) => addresses ?? []))
      .filter((addresses) => addresses.length > 0)
      .map((addresses) => addresses.map((host) => ({ host, port: this.#options.port })))
    return { servers, isWhole: !looked.includes(undefined) }
  }

  /** The addresses that may be queried. Undefined if none was found and it is unknown whether one exists. */
  async #addressesOf(name: DomainName): Promise<string[] | undefined> {
    const looked = await Promise.all(
      [RrType.A, RrType.AAAA].map((type) => this.#resolve(name, type, (answer) => readAddresses(answer, type))),
    )
    const addresses = looked.flatMap((each) => (typeof each === 'string' ? [] : each))
    if (addresses.length === 0 && looked.some((each) => typeof each === 'string')) return undefined
    return addresses.filter(this.#options.mayAsk)
  }

  /** Queries at most twice, because a datagram may be lost. */
  async #resolve<T>(name: DomainName, type: RrType, read: (answer: Message) => T): Promise<T | AskFailure> {
    const { resolver, timeoutMs } = this.#options
    const query = { name, type, recursive: true, timeoutMs }
    const answer = await ask(resolver, query, read)
    return typeof answer === 'string' ? await ask(resolver, query, read) : answer
  }
}

interface Nameservers {
  /** Sorted and without duplicates. None if the name is not the apex of a zone. */
  readonly names: readonly DomainName[]
  readonly ttlS: number
  /** The resolver has the zone itself. */
  readonly isOwn: boolean
}

function readNameservers({ answers, authorities, aa, ra }: Message, zone: DomainName): Nameservers {
  const records = [...answers, ...authorities].filter(({ type, name }) => type === RrType.NS && name === zone)
  return {
    names: [...new Set(records.map(({ data }) => nameFromWire(data)))].sort(),
    ttlS: Math.max(0, ...records.map(({ ttl }) => ttl)),
    isOwn: aa && !ra,
  }
}

function readAddresses({ rcode, answers }: Message, type: RrType): string[] | 'failed' {
  if (rcode !== Rcode.NOERROR && rcode !== Rcode.NXDOMAIN) return 'failed'
  return answers.filter((record) => record.type === type).map(({ data }) => rdataToText(type, data))
}

/** Assigns each address to one name only: names that share addresses count as one server for each distinct address. */
function shareOut(addressesByName: readonly (readonly string[])[]): string[][] {
  const taken = new Set<string>()
  const shares = addressesByName.map((): string[] => [])
  for (let isGrowing = true; isGrowing; ) {
    isGrowing = false
    for (const [i, addresses] of addressesByName.entries()) {
      const address = addresses.find((each) => !taken.has(each))
      if (address === undefined) continue
      taken.add(address)
      shares[i]?.push(address)
      isGrowing = true
    }
  }
  return shares
}
