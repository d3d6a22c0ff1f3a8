import { diffRrsets, type ZoneDiff } from '../diff.ts'
import { type DomainName, isWithin } from '../name.ts'
import { equalData, type RecordData } from '../rdata-wire.ts'
import { type ResourceRecord, type Rrset, signatures, signaturesOver } from '../rrset.ts'
import { RrType } from '../type.ts'
import type { Zone } from '../zone.ts'
import { dnskeyFromRdata, keyTag } from './dnskey.ts'
import { nsecOf, nsecOwnerBefore } from './nsec-chain.ts'
import { type RrsigData, rrsigToRdata } from './rrsig.ts'
import { signedName } from './signed-names.ts'
import { signedLabels, signingInput } from './signing-input.ts'

/** How a zone is signed. Times are in seconds since 1970. */
export interface SigningRules {
  /** The data of the DNSKEY records of the keys that sign. Each signs every rrset. */
  readonly keys: readonly RecordData[]
  readonly inception: number
  readonly expiration: number
}

/** What must be signed so that names of a zone are signed. */
export interface SigningPlan {
  /** The messages, each with the key to sign it with. */
  readonly requests: readonly { readonly key: RecordData; readonly message: Uint8Array }[]
  /** The changes to the NSEC and RRSIG records of the zone, given the signatures in the order of `requests`. */
  readonly diff: (signatures: readonly Uint8Array[]) => ZoneDiff
}

/**
 * Plans the signatures and the NSEC records of names that were changed, added or removed, of those below them, and of the names whose
 * NSEC record leads to them (RFC 4035 §2). For a first signing, pass all names of the zone, `zone.names`.
 *
 * The zone itself is not changed. It already has its DNSKEY records.
 */
export function planSigning(zone: Zone, names: Iterable<DomainName>, rules: SigningRules): SigningPlan {
  const changed = withNamesBelow(zone, names)
  const wholes = [...changed].map((name) => wholeName(zone, name))
  const links = [...changed].map((name) => nsecOwnerBefore(zone, name)).filter((name) => !changed.has(name))
  const parts = [...wholes, ...[...new Set(links)].map((name) => linkOf(zone, name))]
  const drafts = parts
    .flatMap(({ toSign }) => toSign)
    .flatMap((rrset) => rules.keys.map((key) => ({ rrset, key, rrsig: unsignedRrsig(zone, rrset, key, rules) })))
  return {
    requests: drafts.map(({ rrset, key, rrsig }) => ({ key, message: signingInput(rrset, rrsig) })),
    diff: (made) => {
      const rrsigs = drafts.map(({ rrset: { name, ttl }, rrsig }, i): ResourceRecord => {
        const data = rrsigToRdata({ ...rrsig, signature: made[i] ?? new Uint8Array(0) })
        return { name, type: RrType.RRSIG, ttl, data }
      })
      const byName = Map.groupBy(rrsigs, ({ name }) => name)
      const after = [...byName].map(([name, some]): Rrset => ({ name, type: RrType.RRSIG, ...signatures(some) }))
      const denials = parts.flatMap(({ toSign }) => toSign.filter(({ type }) => type === RrType.NSEC))
      return diffRrsets(
        parts.flatMap(({ before }) => before),
        [...denials, ...after],
      )
    },
  }
}

/** The rrsets to sign at a name, and the records from earlier signing. */
interface SigningPart {
  readonly before: readonly Rrset[]
  readonly toSign: readonly Rrset[]
}

/** Everything at a name that was changed. */
function wholeName(zone: Zone, name: DomainName): SigningPart {
  const before = zone.rrsetsAt(name).filter(({ type }) => type === RrType.NSEC || type === RrType.RRSIG)
  const signed = signedName(zone, name)
  const nsec = signed && nsecOf(zone, signed)
  return { before, toSign: [...(signed?.rrsets ?? []), ...(nsec === undefined ? [] : [nsec])] }
}

/** The NSEC record of a name, which may now point to a different name. */
function linkOf(zone: Zone, name: DomainName): SigningPart {
  const signed = signedName(zone, name)
  const [old, nsec] = [zone.rrset(name, RrType.NSEC), signed && nsecOf(zone, signed)]
  if (nsec === undefined || (old !== undefined && isSame(old, nsec))) return { before: [], toSign: [] }
  const rrsig = zone.rrset(name, RrType.RRSIG)
  const over = rrsig && signaturesOver(rrsig, (covered) => covered === RrType.NSEC)
  const { ttls: _, ...head } = rrsig ?? nsec
  return { before: [...(old ? [old] : []), ...(over ? [{ ...head, ...over }] : [])], toSign: [nsec] }
}

function isSame(a: Rrset, b: Rrset): boolean {
  const [first] = a.data
  return a.ttl === b.ttl && a.data.length === 1 && first !== undefined && equalData(first, b.data[0] ?? first)
}

/** Adding or removing a zone cut or a DNAME hides or shows the names below it. This does not apply to the apex, which has the whole zone below it. */
function withNamesBelow(zone: Zone, names: Iterable<DomainName>): Set<DomainName> {
  const all = new Set<DomainName>()
  for (const name of names) {
    all.add(name)
    if (name === zone.origin) continue
    for (let at = zone.names.after(name); at !== undefined && isWithin(at, name); at = zone.names.after(at)) all.add(at)
  }
  return all
}

function unsignedRrsig(zone: Zone, rrset: Rrset, key: RecordData, rules: SigningRules): Omit<RrsigData, 'signature'> {
  return {
    covered: rrset.type,
    algorithm: dnskeyFromRdata(key).algorithm,
    labels: signedLabels(rrset.name),
    originalTtl: rrset.ttl,
    expiration: rules.expiration,
    inception: rules.inception,
    keyTag: keyTag(key),
    signer: zone.origin,
  }
}
