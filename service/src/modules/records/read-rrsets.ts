import type { RrsetView } from '@zonewright/contract'
import {
  aliasComment,
  type Comment,
  composeZoneFile,
  parseRdata,
  parseType,
  type Rrset,
  rdataToText,
  typeToText,
} from '@zonewright/dns'
import { addressesOf, type ResolvedAlias } from '#modules/alias/index.ts'
import { absolute, apexRrsets, relativeToRoot, type ZoneRow } from '#modules/zones/index.ts'
import { isDiscovery, type StoredRrset } from './rrset.ts'
import type { DatedRrset } from './store.ts'

/** An rrset of the zone's records, in the form of the API. `resolved`: what it publishes, if it is an ALIAS. */
export function viewOf(rrset: DatedRrset, resolved?: ResolvedAlias): RrsetView {
  return {
    name: rrset.name,
    type: rrset.type,
    ttl: rrset.ttl,
    records: rrset.records,
    managed: rrset.managed ?? false,
    updatedAt: rrset.updatedAt,
    comment: rrset.comment,
    labels: rrset.labels,
    resolved,
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

/** The contents of an export: the rrsets, and what the ALIAS records publish. */
export interface ZoneContents {
  readonly zone: ZoneRow
  readonly rrsets: readonly StoredRrset[]
  readonly aliases: ReadonlyMap<string, ResolvedAlias>
}

/**
 * The zone as a zone file that any server loads, with pauses, because a full zone takes seconds. With `comments`, each ALIAS is a comment
 * above its addresses.
 */
export function exportZone(
  contents: ZoneContents,
  nameservers: readonly string[],
  { comments }: { readonly comments: boolean },
): Generator<undefined, string> {
  return composeZoneFile(absolute(contents.zone.name), exportedRrsets(contents, nameservers, comments))
}

function* exportedRrsets(
  { zone, rrsets, aliases }: ZoneContents,
  nameservers: readonly string[],
  comments: boolean,
): Generator<Rrset | Comment> {
  yield* apexRrsets(zone, nameservers)
  for (const rrset of rrsets) {
    if (isDiscovery(rrset)) continue
    if (rrset.type !== 'ALIAS') {
      yield toWireRrset(rrset)
      continue
    }
    if (comments) yield aliasComment(toWireRrset(rrset))
    yield* addressesOf(aliases.get(rrset.name)).map(toWireRrset)
  }
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
