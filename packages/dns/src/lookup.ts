import { Rcode } from './message.ts'
import { type DomainName, isWithin, maxNameBytes, parentOf, rootName } from './name.ts'
import { nameToWire } from './name-wire.ts'
import { namesIn } from './rdata-wire.ts'
import type { Rrset } from './rrset.ts'
import { soaFromRdata } from './soa.ts'
import { RrType } from './type.ts'
import type { Zone } from './zone.ts'

/** A zone's answer to a question. Aliases inside the zone are followed; `kind` is the result for the last name. */
export interface LookupResult {
  readonly kind: 'answer' | 'nodata' | 'nxdomain' | 'referral' | 'refused'
  readonly rcode: number
  /** Authoritative answer: for the name asked, or the first of a chain of aliases (RFC 1034 §4.3.2, 1035 §4.1.1). */
  readonly aa: boolean
  readonly answers: readonly Rrset[]
  readonly authorities: readonly Rrset[]
  /** Nothing but the glue of a referral. */
  readonly additionals: readonly Rrset[]
}

/** The end of a chain: no resolver follows longer ones, and a name may point at itself. */
const maxAliases = 16

/**
 * Looks a name up the way RFC 1034 §4.3.2 says, with wildcards (4592), DNAME (6672), empty non-terminals (8020) and
 * ANY answered by one rrset (8482).
 *
 * Negative answers carry the SOA with the TTL of RFC 2308 §3. The code of a chain is that of its last name (RFC 6604).
 */
export function lookup(zone: Zone, name: DomainName, type: RrType): LookupResult {
  const answers: Rrset[] = []
  const seen = new Set<DomainName>()
  const redirected = new Map<Rrset, number>()
  let current = name
  for (let aliases = 0; aliases < maxAliases; aliases++) {
    // Names outside the zone, and loops, are left to the resolver.
    if (!isWithin(current, zone.origin) || seen.has(current)) break
    seen.add(current)
    const step = lookupOne(zone, current, type)
    if ('end' in step) return finish(answers, step)
    const dname = step.alias.find((rrset) => rrset.type === RrType.DNAME)
    if (dname !== undefined) {
      // One that comes up again for a name no shorter leads ever deeper into itself.
      if (current.length >= (redirected.get(dname) ?? Number.POSITIVE_INFINITY)) break
      redirected.set(dname, current.length)
    }
    answers.push(...step.alias.filter((rrset) => !answers.includes(rrset)))
    if (step.target === undefined) return { ...positive(answers), rcode: Rcode.YXDOMAIN }
    current = step.target
    if (type === RrType.CNAME || type === RrType.ANY) break
  }
  return answers.length === 0 ? refused : positive(answers)
}

/** Where one name of a chain leads: to another name (`undefined` when that would be too long), or to the end. */
type Step = { alias: readonly Rrset[]; target: DomainName | undefined } | End
type End = { end: Exclude<LookupResult['kind'], 'refused'>; rrsets: readonly Rrset[]; glue?: readonly Rrset[] }

function lookupOne(zone: Zone, name: DomainName, type: RrType): Step {
  const encloser = zone.closestEncloser(name)
  const cut = highestCut(zone, encloser, name, type)
  if (cut?.type === RrType.NS) return { end: 'referral', rrsets: [cut], glue: glueOf(zone, cut) }
  if (cut !== undefined) return redirect(cut, name)
  if (encloser === name) return lookupAt(zone, name, name, type)
  const wildcard = encloser === rootName ? ('*.' as DomainName) : (`*.${encloser}` as DomainName)
  if (zone.has(wildcard)) return lookupAt(zone, wildcard, name, type)
  return { end: 'nxdomain', rrsets: negativeSoa(zone) }
}

/**
 * The NS or DNAME nearest to the apex that governs `name`: everything below it is hidden. The DS of a delegation belongs
 * to this side of the cut (RFC 4035 §3.1.4.1).
 */
function highestCut(zone: Zone, encloser: DomainName, name: DomainName, type: RrType): Rrset | undefined {
  let highest: Rrset | undefined
  for (let at = encloser; ; at = parentOf(at)) {
    const isApex = at === zone.origin
    const ns = isApex || (at === name && type === RrType.DS) ? undefined : zone.rrset(at, RrType.NS)
    highest = ns ?? (at === name ? undefined : zone.rrset(at, RrType.DNAME)) ?? highest
    if (isApex) return highest
  }
}

/** Addresses in this zone of the nameservers of a delegation, whether or not they lie below it. */
function glueOf(zone: Zone, ns: Rrset): Rrset[] {
  const glue: Rrset[] = []
  for (const host of new Set(ns.data.flatMap((data) => namesIn(RrType.NS, data)))) {
    for (const type of [RrType.A, RrType.AAAA]) {
      const addresses = zone.rrset(host, type)
      if (addresses !== undefined) glue.push(addresses)
    }
  }
  return glue
}

/** The DNAME and the CNAME made from it (RFC 6672 §2.2 and §3.1). */
function redirect(dname: Rrset, name: DomainName): Step {
  const target = targetOf(dname)
  const prefix = name.slice(0, name.length - (dname.name === rootName ? 0 : dname.name.length))
  const redirected = (target === rootName ? prefix : prefix + target) as DomainName
  if (nameToWire(redirected).length > maxNameBytes) return { alias: [dname], target: undefined }
  const cname = { name, type: RrType.CNAME, ttl: dname.ttl, data: [nameToWire(redirected)] }
  return { alias: [dname, cname], target: redirected }
}

/** What the node `at` says about `name`; the two differ for a wildcard, whose rrsets answer under the name asked. */
function lookupAt(zone: Zone, at: DomainName, name: DomainName, type: RrType): Step {
  const here = zone.rrsetsAt(at).map((rrset) => (at === name ? rrset : { ...rrset, name }))
  const asked = type === RrType.ANY ? here[0] : here.find((rrset) => rrset.type === type)
  if (asked !== undefined) return { end: 'answer', rrsets: [asked] }
  const cname = here.find((rrset) => rrset.type === RrType.CNAME)
  if (cname !== undefined) return { alias: [cname], target: targetOf(cname) }
  return { end: 'nodata', rrsets: negativeSoa(zone) }
}

function targetOf(rrset: Rrset): DomainName {
  return namesIn(rrset.type, rrset.data[0] ?? new Uint8Array(0))[0] ?? rootName
}

/** The SOA as negative answers carry it: cached no longer than its own TTL and its minimum (RFC 2308 §3). */
function negativeSoa(zone: Zone): Rrset[] {
  const rrset = zone.rrset(zone.origin, RrType.SOA)
  const data = rrset?.data[0]
  if (rrset === undefined || data === undefined) return []
  return [{ ...rrset, ttl: Math.min(rrset.ttl, soaFromRdata(data).minimum) }]
}

function finish(answers: readonly Rrset[], { end, rrsets, glue = [] }: End): LookupResult {
  if (end === 'answer') return positive([...answers, ...rrsets])
  const aa = end !== 'referral' || answers.length > 0
  const rcode = end === 'nxdomain' ? Rcode.NXDOMAIN : Rcode.NOERROR
  return { kind: end, rcode, aa, answers, authorities: rrsets, additionals: glue }
}

function positive(answers: readonly Rrset[]): LookupResult {
  return { kind: 'answer', rcode: Rcode.NOERROR, aa: true, answers, authorities: [], additionals: [] }
}

const refused: LookupResult = {
  kind: 'refused',
  rcode: Rcode.REFUSED,
  aa: false,
  answers: [],
  authorities: [],
  additionals: [],
}
