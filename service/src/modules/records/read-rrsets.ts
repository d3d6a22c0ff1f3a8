import type { RrsetView } from '@zonewright/contract'
import { parseRdata, parseType, type Rrset, rdataToText, typeToText, writeZoneFile } from '@zonewright/dns'
import { absolute, apexRrsets, relativeToRoot, type ZoneRow } from '#modules/zones/index.ts'
import type { StoredRrset } from './rules.ts'
import type { DatedRrset } from './store.ts'

/** An rrset of the zone's records, as the API shows it. */
export function viewOf(rrset: DatedRrset): RrsetView {
  return {
    name: rrset.name,
    type: rrset.type,
    ttl: rrset.ttl,
    records: rrset.records,
    managed: rrset.managed ?? false,
    updatedAt: rrset.updatedAt,
  }
}

/** The service's own rrsets of a zone, as the API shows them. */
export function managedRrsets(zone: ZoneRow, nameservers: readonly string[]): RrsetView[] {
  return apexRrsets(zone, nameservers).map(({ name, type, ttl, data }) => ({
    name: relativeToRoot(name),
    type: typeToText(type),
    ttl,
    records: data.map((item) => rdataToText(type, item)),
    managed: true,
    updatedAt: zone.createdAt,
  }))
}

/** Everything that a zone publishes, SOA and NS first. */
function publishedRrsets(
  zone: Pick<ZoneRow, 'name' | 'serial'>,
  rrsets: readonly StoredRrset[],
  nameservers: readonly string[],
): Rrset[] {
  return [...apexRrsets(zone, nameservers), ...rrsets.map(toWireRrset)]
}

/** The zone as a zone file that any server loads. */
export function exportZone(zone: ZoneRow, rrsets: readonly StoredRrset[], nameservers: readonly string[]): string {
  return writeZoneFile(absolute(zone.name), publishedRrsets(zone, rrsets, nameservers))
}

/** A stored rrset as the DNS library holds it. */
export function toWireRrset(rrset: StoredRrset): Rrset {
  const type = parseType(rrset.type)
  return {
    name: absolute(rrset.name),
    type,
    ttl: rrset.ttl,
    data: rrset.records.map((record) => parseRdata(type, record)),
  }
}
