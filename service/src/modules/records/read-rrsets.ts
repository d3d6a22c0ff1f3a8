import type { RrsetView } from '@zonewright/contract'
import { composeZoneFile, parseRdata, parseType, type Rrset, rdataToText, typeToText } from '@zonewright/dns'
import { absolute, apexRrsets, relativeToRoot, type ZoneRow } from '#modules/zones/index.ts'
import type { StoredRrset } from './rrset.ts'
import type { DatedRrset } from './store.ts'

/** An rrset of the zone's records, in the form of the API. */
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

/** The managed rrsets at a zone's apex, in the form of the API. */
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

/** Everything that a zone publishes, SOA and NS first, produced step by step, because a large zone must not delay others for long. */
export function* publishedRrsets(
  zone: Pick<ZoneRow, 'name' | 'serial'>,
  rrsets: readonly StoredRrset[],
  nameservers: readonly string[],
): Generator<Rrset> {
  yield* apexRrsets(zone, nameservers)
  for (const rrset of rrsets) yield toWireRrset(rrset)
}

/** The zone as a zone file that any server loads, with pauses, because a full zone takes seconds. */
export function exportZone(
  zone: ZoneRow,
  rrsets: readonly StoredRrset[],
  nameservers: readonly string[],
): Generator<undefined, string> {
  return composeZoneFile(absolute(zone.name), publishedRrsets(zone, rrsets, nameservers))
}

/** A stored rrset in the form of the DNS library. */
export function toWireRrset(rrset: StoredRrset): Rrset {
  const type = parseType(rrset.type)
  return {
    name: absolute(rrset.name),
    type,
    ttl: rrset.ttl,
    data: rrset.records.map((record) => parseRdata(type, record)),
  }
}
