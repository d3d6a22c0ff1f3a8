import { DnsFault } from './faults.ts'
import { type DomainName, isWithin, joinName, labelsOf, parseName } from './name.ts'
import { nameToWire } from './name-wire.ts'
import { parseRdata } from './rdata.ts'
import { equalData, namesIn } from './rdata-wire.ts'
import type { ResourceRecord, Rrset } from './rrset.ts'
import { type SoaData, soaToRdata } from './soa.ts'
import { RrType } from './type.ts'
import type { Zone } from './zone.ts'

/** One zone of a catalog, under a label that stays the same as long as its secondaries should keep their copy. */
export interface CatalogMember {
  readonly label: string
  readonly zone: DomainName
}

/** The supported version (RFC 9432 §4.2.1). */
const schemaVersion = parseRdata(RrType.TXT, '"2"')
/** The TTLs of a catalog have no meaning for its consumers (RFC 9432 §4.1). In seconds. */
const catalogTtl = 0

/** The rrsets of a catalog zone: SOA, `NS invalid.`, the version, and a PTR for every member (RFC 9432 §4). */
export function catalogRrsets(origin: DomainName, soa: SoaData, members: Iterable<CatalogMember>): Rrset[] {
  const rrsets: Rrset[] = [
    { name: origin, type: RrType.SOA, ttl: catalogTtl, data: [soaToRdata(soa)] },
    { name: origin, type: RrType.NS, ttl: catalogTtl, data: [nameToWire(parseName('invalid.'))] },
    { name: joinName('version', origin), type: RrType.TXT, ttl: catalogTtl, data: [schemaVersion] },
  ]
  for (const member of members) {
    const { data, ...record } = catalogMemberRecord(origin, member)
    rrsets.push({ ...record, data: [data] })
  }
  return rrsets
}

/** The PTR that lists a member: `LABEL.zones.ORIGIN PTR ZONE`. */
export function catalogMemberRecord(origin: DomainName, member: CatalogMember): ResourceRecord {
  const name = joinName(member.label, joinName('zones', origin))
  return { name, type: RrType.PTR, ttl: catalogTtl, data: nameToWire(member.zone) }
}

/** The member that a record lists, or `undefined` for any other record. Consumers use it to follow a difference. */
export function catalogMemberOf(origin: DomainName, record: ResourceRecord): CatalogMember | undefined {
  const members = joinName('zones', origin)
  if (record.type !== RrType.PTR || !isWithin(record.name, members)) return undefined
  const [label, ...rest] = labelsOf(record.name)
  if (label === undefined || rest.length !== labelsOf(members).length) return undefined
  const zone = namesIn(RrType.PTR, record.data)[0]
  return zone === undefined ? undefined : { label, zone }
}

/**
 * The members of a catalog by zone name.
 *
 * @throws DnsFault `bad_catalog` if its version is not 2, a label lists two zones, or a zone is listed twice. Such a catalog must not be applied (RFC
 * 9432 §5.1)
 */
export function catalogMembers(zone: Zone): Map<DomainName, CatalogMember> {
  checkVersion(zone)
  const members = new Map<DomainName, CatalogMember>()
  for (const { name, type, ttl, data } of zone.unorderedRrsets()) {
    const first = data[0]
    const member = first === undefined ? undefined : catalogMemberOf(zone.origin, { name, type, ttl, data: first })
    if (member === undefined) continue
    if (data.length > 1) throw new DnsFault('bad_catalog', `The catalog lists several zones under ${name}`)
    if (members.has(member.zone)) throw new DnsFault('bad_catalog', `The catalog lists ${member.zone} twice.`)
    members.set(member.zone, member)
  }
  return members
}

function checkVersion(zone: Zone): void {
  const data = zone.rrset(joinName('version', zone.origin), RrType.TXT)?.data ?? []
  if (data.length === 1 && data.every((text) => equalData(text, schemaVersion))) return
  throw new DnsFault('bad_catalog', `The catalog ${zone.origin} is not of version 2.`)
}
