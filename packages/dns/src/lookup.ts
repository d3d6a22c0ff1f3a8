import { type Denial, denialOf, wildcardBelow } from './dnssec/denial.ts'
import type { Sha1 } from './dnssec/nsec3-hash.ts'
import { Rcode } from './message.ts'
import { type DomainName, isWithin, maxNameBytes, nameBytes, parentOf, rootName } from './name.ts'
import { nameToWire } from './name-wire.ts'
import { namesIn } from './rdata-wire.ts'
import { type Rrset, signaturesOver } from './rrset.ts'
import { soaFromRdata } from './soa.ts'
import { RrType } from './type.ts'
import type { Zone } from './zone.ts'

/** A zone's answer to a question. Aliases inside the zone are followed; `kind` is the result for the last name. */
export interface LookupResult {
  readonly kind: 'answer' | 'nodata' | 'nxdomain' | 'referral' | 'refused'
  readonly rcode: number
  /** Authoritative answer: for the query name, or the first name of a chain of aliases (RFC 1034 §4.3.2, 1035 §4.1.1). */
  readonly aa: boolean
  readonly answers: readonly Rrset[]
  readonly authorities: readonly Rrset[]
  /** Only the glue of a referral. */
  readonly additionals: readonly Rrset[]
}

/** The maximum length of a chain. No resolver follows longer ones, and a name may point to itself. */
const maxAliases = 16

/**
 * Looks a name up as RFC 1034 §4.3.2 requires, with wildcards (RFC 4592), DNAME (RFC 6672) and empty non-terminals (RFC 8020). ANY is answered with
 * one rrset (RFC 8482).
 *
 * Negative answers carry the SOA with the TTL of RFC 2308 §3. The code of a chain is that of its last name (RFC 6604).
 *
 * With `sha1`, it answers as if the question had the DO bit set: with the signatures of the zone, and with its proofs by NSEC or NSEC3
 * (RFC 4035 §3.1, 5155 §7.2).
 */
export function lookup(zone: Zone, name: DomainName, type: RrType, sha1?: Sha1): LookupResult {
  return new Lookup(zone, type, sha1).answer(name)
}

/** An rrset of an answer, and the name in the zone that it comes from: a wildcard, or the query name. */
interface Found {
  readonly rrset: Rrset
  /** Absent for a CNAME that was synthesized from a DNAME: it has no signatures (RFC 6672 §5.3.1). */
  readonly source?: DomainName
}

/** The result for one name of a chain: another name (`undefined` if it would be too long), or the end. */
type Step = { alias: readonly Found[]; target: DomainName | undefined } | End
interface End {
  readonly end: Exclude<LookupResult['kind'], 'refused'>
  readonly found: readonly Found[]
  readonly glue?: readonly Rrset[]
}

/** The lookup of one question. */
class Lookup {
  readonly #zone: Zone
  readonly #type: RrType
  readonly #isSigned: boolean
  readonly #denial: Denial | undefined
  readonly #answers: Found[] = []
  /** The proofs that the names of the chain do not exist, or do not have the type. */
  readonly #proofs = new Set<Rrset>()

  constructor(zone: Zone, type: RrType, sha1: Sha1 | undefined) {
    this.#zone = zone
    this.#type = type
    this.#isSigned = sha1 !== undefined && isSigned(zone)
    this.#denial = sha1 && denialOf(zone, sha1)
  }

  answer(name: DomainName): LookupResult {
    const seen = new Set<DomainName>()
    const redirected = new Map<Rrset, number>()
    let current = name
    for (let aliases = 0; aliases < maxAliases; aliases++) {
      // Names outside the zone, and loops, are left to the resolver.
      if (!isWithin(current, this.#zone.origin) || seen.has(current)) break
      seen.add(current)
      const step = this.#lookupOne(current)
      if ('end' in step) return this.#finish(step)
      const dname = step.alias.find(({ rrset }) => rrset.type === RrType.DNAME)?.rrset
      if (dname !== undefined) {
        // A DNAME that is followed again for a name that is not shorter leads ever deeper into itself.
        const bytes = nameBytes(current)
        if (bytes >= (redirected.get(dname) ?? Number.POSITIVE_INFINITY)) break
        redirected.set(dname, bytes)
      }
      this.#answers.push(...step.alias.filter(({ rrset }) => !this.#answers.some((other) => other.rrset === rrset)))
      if (step.target === undefined) return this.#positive(Rcode.YXDOMAIN)
      current = step.target
      if (this.#type === RrType.CNAME || this.#type === RrType.ANY) break
    }
    return this.#answers.length === 0 ? refused : this.#positive()
  }

  #lookupOne(name: DomainName): Step {
    const zone = this.#zone
    const encloser = zone.closestEncloser(name)
    const cut = this.#highestCut(encloser, name)
    if (cut?.type === RrType.NS) return this.#refer(cut)
    if (cut !== undefined) return redirect(cut, name)
    if (encloser === name) return this.#lookupAt(name, name, encloser)
    const wildcard = wildcardBelow(encloser)
    if (zone.has(wildcard)) return this.#lookupAt(wildcard, name, encloser)
    this.#prove(this.#denial?.nameError(name, encloser))
    return { end: 'nxdomain', found: this.#negativeSoa() }
  }

  /**
   * The NS or DNAME nearest to the apex that governs `name`: everything below it is hidden. The DS of a delegation belongs
   * to this side of the cut (RFC 4035 §3.1.4.1).
   */
  #highestCut(encloser: DomainName, name: DomainName): Rrset | undefined {
    const zone = this.#zone
    let highest: Rrset | undefined
    for (let at = encloser; ; at = parentOf(at)) {
      const isApex = at === zone.origin
      const isDsOfCut = at === name && this.#type === RrType.DS
      const ns = isApex || isDsOfCut ? undefined : zone.rrset(at, RrType.NS)
      highest = ns ?? (at === name ? undefined : zone.rrset(at, RrType.DNAME)) ?? highest
      if (isApex) return highest
    }
  }

  /** A delegation, with its DS or the proof that it has none (RFC 4035 §3.1.4). */
  #refer(ns: Rrset): End {
    const ds = this.#isSigned ? this.#zone.rrset(ns.name, RrType.DS) : undefined
    if (ds === undefined) this.#prove(this.#denial?.noData(ns.name))
    const found = [{ rrset: ns }, ...(ds === undefined ? [] : [{ rrset: ds, source: ns.name }])]
    return { end: 'referral', found, glue: this.#glueOf(ns) }
  }

  /** Addresses in this zone of the nameservers of a delegation, whether they are below it or not. */
  #glueOf(ns: Rrset): Rrset[] {
    const glue: Rrset[] = []
    for (const host of new Set(ns.data.flatMap((data) => namesIn(RrType.NS, data)))) {
      for (const type of [RrType.A, RrType.AAAA]) {
        const rrset = this.#zone.rrset(host, type)
        if (rrset !== undefined) glue.push(...this.#withSignatures({ rrset, source: host }))
      }
    }
    return glue
  }

  /** The answer of the node `at` for `name`. The two differ for a wildcard, whose rrsets are returned under the query name. */
  #lookupAt(at: DomainName, name: DomainName, encloser: DomainName): Step {
    const here = this.#zone.visibleAt(at).map((rrset) => ({
      rrset: at === name ? rrset : { ...rrset, name },
      source: at,
    }))
    const asked =
      this.#type === RrType.ANY
        ? (here.find(({ rrset }) => rrset.type !== RrType.RRSIG) ?? here[0])
        : here.find(({ rrset }) => rrset.type === this.#type)
    const cname = here.find(({ rrset }) => rrset.type === RrType.CNAME)
    const found = asked ?? cname
    if (found === undefined) {
      this.#prove(at === name ? this.#denial?.noData(name) : this.#denial?.wildcardNoData(name, encloser))
      return { end: 'nodata', found: this.#negativeSoa() }
    }
    if (at !== name) this.#prove(this.#denial?.noName(name, encloser))
    return found === asked ? { end: 'answer', found: [found] } : { alias: [found], target: targetOf(found.rrset) }
  }

  #prove(rrsets: readonly Rrset[] = []): void {
    for (const rrset of rrsets) this.#proofs.add(rrset)
  }

  /** The SOA for negative answers. Its TTL is at most its own TTL and its minimum (RFC 2308 §3). */
  #negativeSoa(): Found[] {
    const zone = this.#zone
    const rrset = zone.rrset(zone.origin, RrType.SOA)
    const data = rrset?.data[0]
    if (rrset === undefined || data === undefined) return []
    return [{ rrset: { ...rrset, ttl: Math.min(rrset.ttl, soaFromRdata(data).minimum) }, source: zone.origin }]
  }

  #finish({ end, found, glue = [] }: End): LookupResult {
    if (end === 'answer') {
      this.#answers.push(...found)
      return this.#positive()
    }
    return {
      kind: end,
      rcode: end === 'nxdomain' ? Rcode.NXDOMAIN : Rcode.NOERROR,
      aa: end !== 'referral' || this.#answers.length > 0,
      answers: this.#signed(this.#answers),
      authorities: [...this.#signed(found), ...this.#signedProofs()],
      additionals: glue,
    }
  }

  #positive(rcode: number = Rcode.NOERROR): LookupResult {
    const [answers, authorities] = [this.#signed(this.#answers), this.#signedProofs()]
    return { kind: 'answer', rcode, aa: true, answers, authorities, additionals: [] }
  }

  #signedProofs(): Rrset[] {
    return this.#signed(Array.from(this.#proofs, (rrset) => ({ rrset, source: rrset.name })))
  }

  #signed(found: readonly Found[]): Rrset[] {
    return found.flatMap((each) => this.#withSignatures(each))
  }

  /** An rrset and its signatures (RFC 4035 §3.1.1). The signatures of the SOA in a negative answer have the TTL of this SOA. */
  #withSignatures({ rrset, source }: Found): Rrset[] {
    const { name, type, ttl } = rrset
    const rrsig = this.#isSigned && source !== undefined && this.#zone.rrset(source, RrType.RRSIG)
    const signatures = rrsig ? signaturesOver(rrsig, (covered) => covered === type) : undefined
    if (signatures === undefined || type === RrType.RRSIG) return [rrset]
    const isShortened = type === RrType.SOA && ttl !== this.#zone.rrset(name, type)?.ttl
    return [rrset, { name, type: RrType.RRSIG, ...(isShortened ? { ttl, data: signatures.data } : signatures) }]
  }
}

function isSigned(zone: Zone): boolean {
  for (const { type } of zone.unorderedRrsets()) if (type === RrType.RRSIG) return true
  return false
}

/** The DNAME and the CNAME that is synthesized from it (RFC 6672 §2.2 and §3.1). */
function redirect(dname: Rrset, name: DomainName): Step {
  const target = targetOf(dname)
  const prefix = name.slice(0, name.length - (dname.name === rootName ? 0 : dname.name.length))
  const redirected = (target === rootName ? prefix : prefix + target) as DomainName
  const alias: Found = { rrset: dname, source: dname.name }
  if (nameBytes(redirected) > maxNameBytes) return { alias: [alias], target: undefined }
  const cname = { name, type: RrType.CNAME, ttl: dname.ttl, data: [nameToWire(redirected)] }
  return { alias: [alias, { rrset: cname }], target: redirected }
}

function targetOf(rrset: Rrset): DomainName {
  return namesIn(rrset.type, rrset.data[0] ?? new Uint8Array(0))[0] ?? rootName
}

const refused: LookupResult = {
  kind: 'refused',
  rcode: Rcode.REFUSED,
  aa: false,
  answers: [],
  authorities: [],
  additionals: [],
}
