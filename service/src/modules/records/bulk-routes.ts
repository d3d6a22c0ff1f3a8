import { type Notes, rrsetRoutes } from '@zonewright/contract'
import { maxNoted } from '@zonewright/dns'
import { noSuchZone } from '#http/authorise.ts'
import type { Answer } from '#http/call.ts'
import type { HttpServer } from '#http/server.ts'
import { readZone } from '#modules/zones/index.ts'
import { boundedMessage } from '#platform/bounded-text.ts'
import { Refusal } from '#platform/errors.ts'
import { refuseMoved } from '#platform/http/etag.ts'
import { inSlices } from '#platform/work/slices.ts'
import { Slots } from '#platform/work/slots.ts'
import { describeRrsets, notesOf, type SentNotes } from './describe-rrset.ts'
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
import { previewChange } from './preview-change.ts'
import { RecordAccess } from './record-access.ts'
import { type RecordWriter, requestOf, type WriteCall, type WriteWish } from './record-writer.ts'
import { pathBelow, type RequestedChange, readableTarget } from './rrset-change.ts'
import { readAtNames } from './store.ts'
import { bulkBody, faultsOnLines, headersOf } from './write-answers.ts'

/** An rrset in a request body. */
interface SentRrset {
  readonly name: string
  readonly type: string
  readonly ttl?: number | undefined
  readonly records: readonly string[]
}

/** Zone files that are parsed at once. Each can have 16 MiB, and many times that after parsing. */
const maxFiles = 2

/** The routes that write many rrsets at once. */
export function mountBulkWrites(server: HttpServer, writer: RecordWriter): void {
  const { finish } = writer
  const files = new Slots(maxFiles)
  server.mount(
    rrsetRoutes.changeRrsets,
    async ({ body, ...call }) => {
      const wish = await wishOf(writer, call, body.changes, (i) => `/changes/${i}`)
      return writeBulk(writer, call, { ...wish, also: describing(call, wish, body.changes) })
    },
    { finish },
  )

  server.mount(
    rrsetRoutes.replaceRrsets,
    async ({ body, ...call }) => {
      const wish = await wishOf(writer, call, body.rrsets, (i) => `/rrsets/${i}`)
      return writeBulk(writer, call, { ...wish, replaceAll: true })
    },
    { finish },
  )

  server.mount(
    rrsetRoutes.importZone,
    async ({ body, ...call }) => {
      const replaceAll = call.query.mode === 'replace'
      if (replaceAll) new RecordAccess(call.caller, call.zone).refuseWholeZone()
      if (typeof body !== 'string') return importRrsets(writer, call, body.rrsets, replaceAll)
      const file = await files.run(() => readFile(writer, call, body), call.caller.accountId)
      return importFile(writer, call, file, replaceAll)
    },
    { finish },
  )
}

/** Record sets as JSON. Managed record sets are omitted, as from a file. Errors have their paths, also in a dry run. */
async function importRrsets(
  writer: RecordWriter,
  call: WriteCall,
  rrsets: readonly SentRrset[],
  replaceAll: boolean,
): Promise<Answer> {
  const hasOwn = await hasOwnDiscovery(writer, call.zone)
  const read = await inSlices(withoutOwn(call.zone.name, rrsets, hasOwn))
  const taken = read.filter(({ ignored }) => ignored === undefined)
  const pathOf = (i: number): string => `/rrsets/${taken[i]?.place}`
  const wish = await wishOf(
    writer,
    call,
    taken.map(({ rrset }) => rrset),
    pathOf,
  )
  const ignored = read.flatMap((each) => each.ignored ?? [])
  const left = { ignored: ignored.slice(0, maxNoted), ignoredCount: ignored.length, adapted: [], adaptedCount: 0 }
  return writeBulk(writer, call, { ...wish, replaceAll, more: { ...leftToWire(left), errors: [] } })
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

async function wishOf(
  writer: RecordWriter,
  call: WriteCall,
  rrsets: readonly SentRrset[],
  pathOf: WriteWish['pathOf'],
): Promise<WriteWish> {
  const requested = rrsets.map(
    ({ name, type, ttl, records }): RequestedChange => ({ name, type, ttl, ask: { kind: 'replace', records } }),
  )
  return { ...(await writer.parseMany(call, requested, (i) => pathBelow(pathOf(i)))), pathOf }
}

/** Writes the comments and labels of a request, if it has any. Those of record sets that it deletes are gone with them. */
function describing(
  { caller, actor, zone }: WriteCall,
  { changes }: WriteWish,
  sent: readonly (SentRrset & Notes)[],
): WriteWish['also'] {
  const described = sent.flatMap((rrset, i): SentNotes[] => {
    const notes = notesOf(caller, rrset)
    const change = changes[i]
    return notes === undefined || change === undefined || rrset.records.length === 0
      ? []
      : [{ name: change.name, type: change.type, ...notes }]
  })
  return described.length === 0 ? undefined : (tx) => describeRrsets(tx, actor, zone.id, described)
}

function writeBulk(writer: RecordWriter, call: WriteCall, wish: WriteWish): Promise<Answer> {
  return writer.write(call, wish, async (result, _db, warnings) => ({
    status: 200,
    body: {
      ...bulkBody(new RecordAccess(call.caller, call.zone), result, wish.changes, await warnings()),
      ...wish.more,
    },
    headers: headersOf(result),
  }))
}

/** Reads a file up to the number of rrsets that the zone can hold. Refuses it if the caller is not allowed to change one of its rrsets. */
async function readFile(
  writer: RecordWriter,
  { caller, zone, ifMatch }: WriteCall,
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

/** A file with errors is refused as a whole. In a dry run, its errors are listed next to the effect of the rest. */
async function importFile(
  writer: RecordWriter,
  call: WriteCall,
  file: ParsedImport,
  replaceAll: boolean,
): Promise<Answer> {
  const { changes, warnings, dotless, lines } = file
  const wish = { changes, warnings, dotless, lines, replaceAll, pathOf: String }
  // The readable part of a file with errors is planned too, so that all errors are reported at once.
  const onLines = (error: unknown): never => {
    throw Refusal.of([...file.faults, ...faultsOnLines(error, lines)].sort((a, b) => (a.line ?? 0) - (b.line ?? 0)))
  }
  if (file.faults.length > 0 && !call.query.dry_run) {
    await previewChange(writer.db, requestOf(call, wish)).catch(onLines)
    throw Refusal.of(file.faults)
  }
  const errors = file.faults.map(({ line, code, message }) => ({ line, code, message: boundedMessage(message) }))
  return writeBulk(writer, call, { ...wish, more: { ...leftToWire(file.left), errors } }).catch(onLines)
}

function leftToWire({ ignored, ignoredCount, adapted, adaptedCount }: LeftOut) {
  return { ignored, ignored_count: ignoredCount, adapted, adapted_count: adaptedCount }
}
