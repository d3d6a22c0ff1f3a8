import {
  type DomainName,
  isWithin,
  type LookupResult,
  lookup,
  parseName,
  parseRdata,
  type Rrset,
  RrType,
  Zone,
} from '@zonewright/dns'

/** A host with its IPv4 address. */
export interface Host {
  readonly name: string
  readonly address: string
}

export interface RegistryZonesOptions {
  /** The registry's zones, without trailing dots: `test`, `com.test`. */
  readonly tlds: readonly string[]
  /** The registry's own servers. */
  readonly servers: readonly Host[]
  /** Hosts below the zones that have addresses there, such as the nameservers of a hosting service. */
  readonly hosts: readonly Host[]
}

/** The registry's TTLs: short, so that a test sees changes. */
const ttl = 5

/** The zones of a small registry: each domain is a delegation, and nothing else. */
export class RegistryZones {
  readonly #options: RegistryZonesOptions
  readonly #delegations = new Map<string, readonly string[]>()
  #zones: readonly Zone[] | undefined

  constructor(options: RegistryZonesOptions) {
    this.#options = options
  }

  /** Every delegation, by domain. */
  delegations(): Record<string, readonly string[]> {
    return Object.fromEntries(this.#delegations)
  }

  /** Delegates a domain; to nobody: it is registered no more. Throws a sentence when it is not below one of the zones. */
  delegate(domain: string, nameservers: readonly string[]): void {
    const name = parseName(`${domain}.`)
    if (!this.#options.tlds.some((tld) => name !== `${tld}.` && isWithin(name, parseName(`${tld}.`))))
      throw new Error(`${domain} is not below ${this.#options.tlds.join(' or ')}.`)
    for (const nameserver of nameservers) parseName(`${nameserver}.`)
    if (nameservers.length > 0) this.#delegations.set(domain, nameservers)
    else this.#delegations.delete(domain)
    this.#zones = undefined
  }

  /** What the zone that a name belongs to says; undefined when it belongs to none. */
  lookup(name: DomainName, type: RrType): LookupResult | undefined {
    this.#zones ??= this.#options.tlds.map((tld) => this.#zoneOf(tld))
    const zones = this.#zones.filter(({ origin }) => isWithin(name, origin))
    const zone = zones.reduce<Zone | undefined>(
      (best, each) => (each.origin.length > (best?.origin.length ?? 0) ? each : best),
      undefined,
    )
    return zone && lookup(zone, name, type)
  }

  #zoneOf(tld: string): Zone {
    const { servers, hosts, tlds } = this.#options
    const origin = parseName(`${tld}.`)
    const serverNames = servers.map(({ name }) => name)
    const isOurs = (name: string): boolean => tldOf(name, tlds) === tld && !this.#isBelowCut(name)
    const delegated = [...this.#delegations].filter(([domain]) => tldOf(domain, tlds) === tld)
    const below = tlds.filter((other) => other.endsWith(`.${tld}`)).map((other) => [other, serverNames] as const)
    const soa = `${serverNames[0]}. hostmaster.${tld}. 1 3600 600 86400 ${ttl}`
    return Zone.fromRrsets(origin, [
      rrset(tld, RrType.SOA, [soa]),
      rrset(
        tld,
        RrType.NS,
        serverNames.map((name) => `${name}.`),
      ),
      ...[...delegated, ...below].map(([domain, names]) =>
        rrset(
          domain,
          RrType.NS,
          names.map((name) => `${name}.`),
        ),
      ),
      ...[...servers, ...hosts]
        .filter(({ name }) => isOurs(name))
        .map(({ name, address }) => rrset(name, RrType.A, [address])),
    ])
  }

  /** Addresses of hosts below a delegated domain are for its own nameservers to tell. */
  #isBelowCut(host: string): boolean {
    return [...this.#delegations.entries()].some(
      ([domain, names]) => host.endsWith(`.${domain}`) && !names.includes(host),
    )
  }
}

function tldOf(domain: string, tlds: readonly string[]): string | undefined {
  return tlds.filter((tld) => domain.endsWith(`.${tld}`)).sort((a, b) => b.length - a.length)[0]
}

function rrset(name: string, type: RrType, records: readonly string[]): Rrset {
  return { name: parseName(`${name}.`), type, ttl, data: records.map((record) => parseRdata(type, record)) }
}
