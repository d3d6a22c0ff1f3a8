import { type DomainName, isWithin, parentOf, rootName } from '../name.ts'
import { compareData, type RecordData } from '../rdata-wire.ts'
import type { Rrset } from '../rrset.ts'
import { RrType } from '../type.ts'
import type { Zone } from '../zone.ts'
import { nsec3ParametersFromRdata } from './denial-data.ts'
import { announcesChain, hashesAlike, hashInName } from './nsec3-chain-records.ts'
import { type Nsec3Parameters, nsec3Hash, type Sha1 } from './nsec3-hash.ts'

/** Finds the NSEC or NSEC3 rrsets that prove what a zone does not have. If the zone lacks a part of a proof, the part is left out. */
export interface Denial {
  /** `name` exists, but not with the type; or it is a delegation without DS. */
  noData(name: DomainName): Rrset[]
  /** `name` does not exist; `encloser` is the longest name above it that does. */
  noName(name: DomainName, encloser: DomainName): Rrset[]
  /** Neither `name` nor the wildcard below `encloser` exists. */
  nameError(name: DomainName, encloser: DomainName): Rrset[]
  /** `name` does not exist, and the wildcard below `encloser` does not have the type. */
  wildcardNoData(name: DomainName, encloser: DomainName): Rrset[]
}

/** How a zone proves denials: by NSEC3 if it announces a chain that includes its apex, otherwise by NSEC if its apex has one. */
export function denialOf(zone: Zone, sha1: Sha1): Denial | undefined {
  for (const announced of zone.rrset(zone.origin, RrType.NSEC3PARAM)?.data ?? []) {
    if (!announcesChain(announced)) continue
    const denial = new Nsec3Denial(zone, announced, sha1)
    if (denial.isWhole) return denial
  }
  return zone.rrset(zone.origin, RrType.NSEC) === undefined ? undefined : new NsecDenial(zone)
}

export function wildcardBelow(encloser: DomainName): DomainName {
  return (encloser === rootName ? '*.' : `*.${encloser}`) as DomainName
}

/** RFC 4035 §3.1.3. */
class NsecDenial implements Denial {
  readonly #zone: Zone

  constructor(zone: Zone) {
    this.#zone = zone
  }

  noData(name: DomainName): Rrset[] {
    const own = this.#zone.rrset(name, RrType.NSEC)
    if (own !== undefined) return [own]
    // An empty non-terminal has no NSEC record of its own.
    return this.#zone.rrsetsAt(name).length === 0 ? this.#before(name) : []
  }

  noName(name: DomainName): Rrset[] {
    return this.#before(name)
  }

  nameError(name: DomainName, encloser: DomainName): Rrset[] {
    return [...this.#before(name), ...this.#before(wildcardBelow(encloser))]
  }

  wildcardNoData(name: DomainName, encloser: DomainName): Rrset[] {
    return [...this.#before(name), ...this.noData(wildcardBelow(encloser))]
  }

  /** The NSEC of the last name before `name` that has one. */
  #before(name: DomainName): Rrset[] {
    for (let at = this.#zone.names.before(name); at !== undefined; at = this.#zone.names.before(at)) {
      const nsec = this.#zone.rrset(at, RrType.NSEC)
      if (nsec !== undefined) return [nsec]
    }
    return []
  }
}

/** RFC 5155 §7.2. */
class Nsec3Denial implements Denial {
  readonly #zone: Zone
  readonly #parameters: Nsec3Parameters
  readonly #sha1: Sha1
  readonly #chain: { readonly hash: Uint8Array; readonly nsec3: Rrset }[] = []

  constructor(zone: Zone, announced: RecordData, sha1: Sha1) {
    this.#zone = zone
    this.#parameters = nsec3ParametersFromRdata(announced)
    this.#sha1 = sha1
    for (const rrset of zone.unorderedRrsets()) {
      if (rrset.type !== RrType.NSEC3 || !rrset.data.some((data) => hashesAlike(announced, data))) continue
      const hash = hashInName(rrset.name, zone.origin)
      if (hash !== undefined) this.#chain.push({ hash, nsec3: rrset })
    }
    this.#chain.sort((a, b) => compareData(a.hash, b.hash))
  }

  /** The apex is in the chain. */
  get isWhole(): boolean {
    return this.#matching(this.#zone.origin).length > 0
  }

  noData(name: DomainName): Rrset[] {
    const own = this.#matching(name)
    // Only an opt-out span may lack the hash of an existing name (RFC 5155 §7.2.4, 7.2.7).
    return own.length > 0 ? own : this.#encloserProof(name, parentOf(name)).rrsets
  }

  noName(name: DomainName, encloser: DomainName): Rrset[] {
    return this.#covering(nextCloser(name, encloser))
  }

  nameError(name: DomainName, encloser: DomainName): Rrset[] {
    const { rrsets, closest } = this.#encloserProof(name, encloser)
    return [...rrsets, ...this.#covering(wildcardBelow(closest))]
  }

  wildcardNoData(name: DomainName, encloser: DomainName): Rrset[] {
    const { rrsets } = this.#encloserProof(name, encloser)
    return [...rrsets, ...this.#matching(wildcardBelow(encloser))]
  }

  /** The closest encloser that can be proved, from `from` up, and that the name below it toward `name` does not exist (RFC 5155 §7.2.1). */
  #encloserProof(name: DomainName, from: DomainName): { rrsets: Rrset[]; closest: DomainName } {
    let closest = from
    while (closest !== this.#zone.origin && this.#matching(closest).length === 0) closest = parentOf(closest)
    return { rrsets: [...this.#matching(closest), ...this.#covering(nextCloser(name, closest))], closest }
  }

  #matching(name: DomainName): Rrset[] {
    const hash = nsec3Hash(name, this.#parameters, this.#sha1)
    return this.#chain.filter((link) => compareData(link.hash, hash) === 0).map(({ nsec3 }) => nsec3)
  }

  /** The last record of the chain points to the first. */
  #covering(name: DomainName): Rrset[] {
    const hash = nsec3Hash(name, this.#parameters, this.#sha1)
    const link = this.#chain.findLast((each) => compareData(each.hash, hash) <= 0) ?? this.#chain.at(-1)
    return link === undefined ? [] : [link.nsec3]
  }
}

/** The name one label longer than `encloser` on the way to `name` (RFC 5155 §1.3). */
function nextCloser(name: DomainName, encloser: DomainName): DomainName {
  let next = name
  while (isWithin(parentOf(next), encloser) && parentOf(next) !== encloser) next = parentOf(next)
  return next
}
