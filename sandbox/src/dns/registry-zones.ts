import {
  type DomainName,
  diffRrsets,
  isWithin,
  type LookupResult,
  parseName,
  parseRdata,
  type Rrset,
  RrType,
  recordsOf,
  Zone,
} from '@zonewright/dns'
import type { SigningKey } from '@zonewright/dns/node'
import { SignedZone } from './signed-zone.ts'

/** A host with its IPv4 or IPv6 address. */
export interface Host {
  readonly name: string
  readonly address: string
}

/** RFC 4034 §5.1; `digest` in hexadecimal. */
export interface DsRecord {
  readonly keyTag: number
  readonly algorithm: number
  readonly digestType: number
  readonly digest: string
}

/** The data of a domain in the zone. */
export interface Delegation {
  readonly nameservers: readonly string[]
  readonly ds: readonly DsRecord[]
}

export interface RegistryZonesOptions {
  /** The registry's zones, without trailing dots: `test`, `com.test`. */
  readonly tlds: readonly string[]
  /** The registry's own servers. */
  readonly servers: readonly Host[]
  /** Hosts with addresses in the zones, such as the nameservers of a hosting service. */
  readonly hosts: readonly Host[]
}

/** The same, with a key for each zone. */
interface SigningOptions extends RegistryZonesOptions {
  readonly keys: ReadonlyMap<string, SigningKey>
}

/** The registry's TTLs: short, so that a test sees changes. */
const ttl = 5

/** The zones of a small registry, signed: each domain is only a delegation. The cost of a change is proportional to its size. */
export class RegistryZones {
  readonly #options: SigningOptions
  /** Set manually. They take precedence over what the registry has published. */
  readonly #delegations = new Map<string, readonly string[]>()
  readonly #published = new Map<string, Delegation>()
  readonly #hosts = new Map<string, readonly string[]>()
  readonly #zones: ReadonlyMap<string, SignedZone>

  constructor(options: SigningOptions) {
    this.#options = options
    for (const { name, address } of [...options.servers, ...options.hosts]) this.#hosts.set(name, [address])
    this.#zones = new Map(options.tlds.map((tld) => [tld, this.#emptyZone(tld)]))
    for (const zone of this.#zones.values())
      this.#above(zone.origin)?.apply({ removed: [], added: recordsOf(zone.ds(ttl)) })
    for (const host of this.#hosts.keys()) this.#show(host)
  }

  /** Every delegation, by domain. */
  delegations(): Record<string, readonly string[]> {
    const published = [...this.#published].map(([domain, { nameservers }]) => [domain, nameservers] as const)
    return Object.fromEntries([...published, ...this.#delegations])
  }

  /** The delegation of a domain; undefined if it has none. */
  nameserversOf(domain: string): readonly string[] | undefined {
    return this.#delegationOf(domain)?.nameservers
  }

  /** The delegations that were set manually, and not by a registrar. */
  delegationsByHand(): Record<string, readonly string[]> {
    return Object.fromEntries(this.#delegations)
  }

  /**
   * Sets the delegation of a domain manually. Without a delegation, the data of the registry applies again. Throws a sentence if the domain is not
   * below one of the zones.
   */
  delegate(domain: string, nameservers: readonly string[]): void {
    const name = parseName(`${domain}.`)
    if (!this.#options.tlds.some((tld) => name !== `${tld}.` && isWithin(name, parseName(`${tld}.`))))
      throw new Error(`${domain} is not below ${this.#options.tlds.join(' or ')}.`)
    for (const nameserver of nameservers) parseName(`${nameserver}.`)
    this.#change(domain, () => {
      if (nameservers.length > 0) this.#delegations.set(domain, nameservers)
      else this.#delegations.delete(domain)
    })
  }

  /** Sets the delegation of a domain from the registry's objects; undefined: the domain is not in the zone. */
  publish(domain: string, delegation: Delegation | undefined): void {
    const before = this.#published.get(domain)
    if (before?.nameservers === delegation?.nameservers && before?.ds === delegation?.ds) return
    this.#change(domain, () => {
      if (delegation === undefined) this.#published.delete(domain)
      else this.#published.set(domain, delegation)
    })
  }

  /** The addresses of a host below a zone. */
  setGlue(host: string, addresses: readonly { readonly address: string }[]): void {
    if (addresses.length > 0)
      this.#hosts.set(
        host,
        addresses.map(({ address }) => address),
      )
    else this.#hosts.delete(host)
    this.#show(host)
  }

  /** The DS records of the zones that are in no other zone of the registry. Validation begins with these. */
  trustAnchors(): Rrset[] {
    return [...this.#zones.values()]
      .filter(({ origin }) => this.#above(origin) === undefined)
      .map((zone) => zone.ds(ttl))
  }

  /**
   * The answer of the zone that a name belongs to; undefined if there is none. DS records belong to the parent zone (RFC 4035 §3.1.4.1). With
   * `isSigned`, the answer has signatures and proofs.
   */
  lookup(name: DomainName, type: RrType, isSigned = false): LookupResult | undefined {
    const zone = (type === RrType.DS ? this.#above(name) : undefined) ?? this.#closest(name)
    return zone?.lookup(name, type, isSigned)
  }

  #above(name: DomainName): SignedZone | undefined {
    return this.#closest(name, ({ origin }) => origin !== name)
  }

  #closest(name: DomainName, isOne: (zone: SignedZone) => boolean = () => true): SignedZone | undefined {
    return [...this.#zones.values()]
      .filter((zone) => isWithin(name, zone.origin) && isOne(zone))
      .sort((a, b) => b.origin.length - a.origin.length)[0]
  }

  #emptyZone(tld: string): SignedZone {
    const { servers, tlds, keys } = this.#options
    const key = keys.get(tld)
    if (key === undefined) throw new Error(`There is no key for ${tld}.`)
    const serverNames = servers.map(({ name }) => `${name}.`)
    const below = tlds.filter((other) => tldOf(other, tlds) === tld)
    const soa = `${serverNames[0]} hostmaster.${tld}. 1 3600 600 86400 ${ttl}`
    const zone = Zone.fromRrsets(parseName(`${tld}.`), [
      rrset(tld, RrType.SOA, [soa]),
      ...[tld, ...below].map((name) => rrset(name, RrType.NS, serverNames)),
    ])
    return new SignedZone(zone, key, ttl)
  }

  /** Changes the data of a domain, and publishes it. Hosts below the domain are added or removed with it. */
  #change(domain: string, change: () => void): void {
    change()
    this.#show(domain)
    for (const host of this.#hosts.keys()) if (host.endsWith(`.${domain}`)) this.#show(host)
  }

  #delegationOf(domain: string): Delegation | undefined {
    const nameservers = this.#delegations.get(domain)
    return nameservers === undefined ? this.#published.get(domain) : { nameservers, ds: [] }
  }

  /** Publishes the data of a name in the zone. */
  #show(name: string): void {
    const zone = this.#zones.get(tldOf(name, this.#options.tlds) ?? '')
    if (zone === undefined) return
    const { nameservers = [], ds = [] } = this.#delegationOf(name) ?? {}
    const addresses = this.#isHidden(name) ? [] : (this.#hosts.get(name) ?? [])
    const wanted = [
      rrset(
        name,
        RrType.NS,
        nameservers.map((host) => `${host}.`),
      ),
      rrset(
        name,
        RrType.DS,
        ds.map((each) => `${each.keyTag} ${each.algorithm} ${each.digestType} ${each.digest}`),
      ),
      rrset(
        name,
        RrType.A,
        addresses.filter((address) => !address.includes(':')),
      ),
      rrset(
        name,
        RrType.AAAA,
        addresses.filter((address) => address.includes(':')),
      ),
    ].filter(({ data }) => data.length > 0)
    zone.apply(diffRrsets(zone.rrsetsAt(parseName(`${name}.`)), wanted))
  }

  /** Only a delegated domain's nameservers give the addresses of the domain and of hosts below it, unless the host is one of them. */
  #isHidden(host: string): boolean {
    const labels = host.split('.')
    return labels.some((_, i) => {
      const delegation = this.#delegationOf(labels.slice(i).join('.'))
      return delegation !== undefined && !delegation.nameservers.includes(host)
    })
  }
}

function tldOf(domain: string, tlds: readonly string[]): string | undefined {
  return tlds.filter((tld) => domain.endsWith(`.${tld}`)).sort((a, b) => b.length - a.length)[0]
}

function rrset(name: string, type: RrType, records: readonly string[]): Rrset {
  return { name: parseName(`${name}.`), type, ttl, data: records.map((record) => parseRdata(type, record)) }
}
