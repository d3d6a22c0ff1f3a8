import {
  DigestType,
  type DomainName,
  dsOf,
  type LookupResult,
  lookup,
  planSigning,
  type Rrset,
  RrType,
  type Zone,
  type ZoneDiff,
} from '@zonewright/dns'
import { dnssecCrypto, type SigningKey } from '@zonewright/dns/node'

/** Signatures begin an hour ago, for clocks that are behind, and are made again when half of their time is over. */
const inceptionAgoS = 3_600
const validityS = 14 * 86_400

/** The types that signing adds to a name. */
const ofSigning: ReadonlySet<RrType> = new Set([RrType.NSEC, RrType.RRSIG])

/** A zone that signs itself. Changed names are signed on the next query for a signed answer, so that other queries need no signatures. */
export class SignedZone {
  readonly #zone: Zone
  readonly #key: SigningKey
  readonly #changed = new Set<DomainName>()
  /** A removed name still has its NSEC record, so it would also exist for unsigned answers. */
  #isNameGone = false
  #signAgainAtS = 0

  /** @param unsigned a zone without DNSKEY records, which belongs to this object from now on */
  constructor(unsigned: Zone, key: SigningKey, ttl: number) {
    this.#zone = unsigned
    this.#key = key
    const added = { name: unsigned.origin, type: RrType.DNSKEY, ttl, data: key.dnskey }
    unsigned.apply({ removed: [], added: [added] })
  }

  get origin(): DomainName {
    return this.#zone.origin
  }

  /** The DS records for the parent zone, which identify the key. */
  ds(ttl: number): Rrset {
    const data = dsOf(this.origin, this.#key.dnskey, DigestType.SHA256, dnssecCrypto)
    return { name: this.origin, type: RrType.DS, ttl, data: data === undefined ? [] : [data] }
  }

  /** The rrsets of a name, without what signing adds. */
  rrsetsAt(name: DomainName): Rrset[] {
    return this.#zone.rrsetsAt(name).filter(({ type }) => !ofSigning.has(type))
  }

  apply(diff: ZoneDiff): void {
    this.#zone.apply(diff)
    for (const { name } of [...diff.removed, ...diff.added]) this.#changed.add(name)
    this.#isNameGone ||= diff.removed.some(({ name }) => this.rrsetsAt(name).length === 0)
  }

  /** With `isSigned`, the answer has signatures and proofs. */
  lookup(name: DomainName, type: RrType, isSigned: boolean): LookupResult {
    if (isSigned || this.#isNameGone || ofSigning.has(type)) this.#sign()
    return lookup(this.#zone, name, type, isSigned ? dnssecCrypto.sha1 : undefined)
  }

  #sign(): void {
    const nowS = Math.floor(Date.now() / 1_000)
    const names = nowS >= this.#signAgainAtS ? [...this.#zone.names] : [...this.#changed]
    if (names.length === 0) return
    if (nowS >= this.#signAgainAtS) this.#signAgainAtS = nowS + validityS / 2
    this.#changed.clear()
    this.#isNameGone = false
    const plan = planSigning(this.#zone, names, {
      keys: [this.#key.dnskey],
      inception: nowS - inceptionAgoS,
      expiration: this.#signAgainAtS + validityS / 2,
    })
    this.#zone.apply(plan.diff(plan.requests.map(({ message }) => this.#key.sign(message))))
  }
}
