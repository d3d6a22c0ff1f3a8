import { maxNoted } from '@zonewright/dns'
import { noSuchZone } from '#http/authorise.ts'
import { readZone } from '#modules/zones/index.ts'
import { refuseMoved } from '#platform/http/etag.ts'
import { inSlices } from '#platform/work/slices.ts'
import {
  discoveryName,
  doubtfulNames,
  type Ignored,
  ignoredAt,
  type LeftOut,
  type ParsedImport,
  readImport,
  withoutDoubts,
} from './import-zone.ts'
import { RecordAccess } from './record-access.ts'
import type { RecordWriter, WriteCall, WriteWish } from './record-writer.ts'
import { pathBelow, type RequestedChange, readableTarget } from './rrset-change.ts'
import { readAtNames } from './store.ts'

/** An rrset in a request body. */
export interface SentRrset {
  readonly name: string
  readonly type: string
  readonly ttl?: number | undefined
  readonly records: readonly string[]
}

/** The parts of a call that reading its changes needs. */
type ReadBy = Pick<WriteCall, 'caller' | 'zone' | 'ifMatch'>

/** The changes that a request sends as JSON. Throws the refusal with all of their errors. */
export async function readChanges(
  writer: RecordWriter,
  call: ReadBy,
  rrsets: readonly SentRrset[],
  pathOf: WriteWish['pathOf'],
): Promise<WriteWish> {
  const requested = rrsets.map(
    ({ name, type, ttl, records }): RequestedChange => ({ name, type, ttl, ask: { kind: 'replace', records } }),
  )
  return { ...(await writer.parseMany(call, requested, (i) => pathBelow(pathOf(i)))), pathOf }
}

/** The record sets of an import as JSON. Managed record sets are omitted, as from a file. `place`: of the list in the body. */
export async function readRrsets(
  writer: RecordWriter,
  call: ReadBy,
  rrsets: readonly SentRrset[],
  place = '/rrsets',
): Promise<{ readonly wish: WriteWish; readonly left: LeftOut }> {
  const hasOwn = await hasOwnDiscovery(writer, call.zone)
  const read = await inSlices(withoutOwn(call.zone.name, rrsets, hasOwn))
  const taken = read.filter(({ ignored }) => ignored === undefined)
  const sent = taken.map(({ rrset }) => rrset)
  const wish = await readChanges(writer, call, sent, (i) => `${place}/${taken[i]?.place}`)
  const ignored = read.flatMap((each) => each.ignored ?? [])
  const left = { ignored: ignored.slice(0, maxNoted), ignoredCount: ignored.length, adapted: [], adaptedCount: 0 }
  return { wish, left }
}

function* withoutOwn(zone: string, rrsets: readonly SentRrset[], hasOwnDiscovery: boolean) {
  const read: { readonly rrset: SentRrset; readonly place: number; readonly ignored: Ignored | undefined }[] = []
  for (const [place, rrset] of rrsets.entries()) {
    const target = readableTarget(zone, rrset)
    read.push({ rrset, place, ignored: target && ignoredAt(place + 1, zone, target, hasOwnDiscovery) })
    yield
  }
  return read
}

/** Reads a file up to the number of rrsets that the zone can hold. Refuses it if the caller is not allowed to change one of its rrsets. */
export async function readFile(
  writer: RecordWriter,
  { caller, zone, ifMatch }: ReadBy,
  text: string,
): Promise<ParsedImport> {
  const row = await readZone(writer.db, zone.id)
  if (row === undefined) throw noSuchZone()
  refuseMoved(ifMatch, row.version)
  const file = await inSlices(readImport(row, text, { hasOwnDiscovery: await hasOwnDiscovery(writer, row) }))
  const access = new RecordAccess(caller, zone)
  if (!access.changesAll) for (const change of file.changes) access.refuseChange(change)
  const doubtful = doubtfulNames(file)
  return doubtful.length === 0 ? file : withoutDoubts(file, await readAtNames(writer.db, zone.id, doubtful))
}

/** Whether the customer has a record of their own where service providers look for the DNS provider. An import of the zone's export keeps it. */
async function hasOwnDiscovery({ db }: RecordWriter, { id, name }: { id: string; name: string }): Promise<boolean> {
  return (await readAtNames(db, id, [discoveryName(name)])).some(({ managed }) => !managed)
}

/** What an import left out, as the API shows it. */
export function leftToWire({ ignored, ignoredCount, adapted, adaptedCount }: LeftOut) {
  return { ignored, ignored_count: ignoredCount, adapted, adapted_count: adaptedCount }
}
