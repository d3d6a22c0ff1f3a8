import type { PowerdnsEntry } from '@zonewright/contract'
import { noSuchZone } from '#http/authorise.ts'
import type { CalledZone } from '#http/call.ts'
import {
  managedNames,
  type ParsedChanges,
  pathBelow,
  RecordAccess,
  type RecordWriter,
  type RrsetChange,
} from '#modules/records/index.ts'
import { readZone } from '#modules/zones/index.ts'
import type { Caller } from '#platform/caller.ts'
import { Faults } from '#platform/errors.ts'
import { inSlices } from '#platform/work/slices.ts'
import { foldChanges } from './fold-changes.ts'
import { checkOwn, withoutOwn } from './own-rrsets.ts'
import { readEntries } from './read-entries.ts'

/** The caller of a request, and the zone that it is about. A zone that does not exist yet has no id. */
interface ChangesBy {
  readonly caller: Caller
  readonly zone: Omit<CalledZone, 'id'> & { readonly id: string | undefined }
}

/** The changes in a request, and the place of each. */
export type RequestedChanges = ParsedChanges & { readonly pathOf: (index: number) => string }

/**
 * The changes that the entries of a request represent, one for each record set, ready for `changeRecords`. Entries about the service's own record
 * sets are omitted, because they change nothing.
 *
 * @throws Refusal `forbidden` for a record set that the caller is not allowed to change, or one with all errors of the entries
 */
export async function readChanges(
  { writer, nameservers }: { readonly writer: RecordWriter; readonly nameservers: readonly string[] },
  { caller, zone }: ChangesBy,
  entries: readonly PowerdnsEntry[],
): Promise<RequestedChanges> {
  const faults = new Faults()
  const isNew = zone.id === undefined
  const read = await inSlices(readEntries(entries, { isNew, faults }))
  const { own, others } = await inSlices(withoutOwn(zone.name, read))
  const by = { caller, zone: { ...zone, id: zone.id ?? '' } }
  const access = new RecordAccess(caller, zone)
  for (const { type } of own) access.refuseChange({ name: zone.name, type: type.toUpperCase() })
  if (own.length > 0) checkOwn(await serialOf(writer, zone), nameservers, own, faults)
  faults.refuseAny()
  const placeOf = (i: number): number => others[i]?.place ?? 0
  const parsed = await writer.parseMany(by, others, (i) => pathsOf(placeOf(i)))
  const folded = await inSlices(foldChanges(parsed.changes.map((change, i) => ({ change, place: placeOf(i) }))))
  const managed =
    zone.id && folded.some(({ change }) => deletesNs(change)) ? await managedNames(writer.db, zone.id) : undefined
  const kept = folded.filter(({ change }) => !(deletesNs(change) && managed?.has(change.name)))
  return {
    ...parsed,
    changes: kept.map(({ change }) => change),
    pathOf: (i) => `/rrsets/${kept[i]?.place}`,
  }
}

/** Clients do not see the NS records with which the service delegates to other zones here, and may delete record sets that they do not know. */
function deletesNs({ type, ask }: RrsetChange): boolean {
  return type === 'NS' && ask.kind === 'replace' && ask.records.length === 0
}

/** All values of an entry are in its list of records. */
function pathsOf(place: number) {
  const paths = pathBelow(`/rrsets/${place}`)
  return { ...paths, add: paths.records, remove: paths.records }
}

/** The values from which the SOA of a zone is built. A new zone has no serial yet. */
async function serialOf(
  { db }: RecordWriter,
  { id, name }: ChangesBy['zone'],
): Promise<{ name: string; serial: number }> {
  if (id === undefined) return { name, serial: 0 }
  const row = await readZone(db, id)
  if (row === undefined) throw noSuchZone()
  return row
}
