import { type Notes, rrsetRoutes } from '@zonewright/contract'
import type { Answer } from '#http/call.ts'
import type { HttpServer } from '#http/server.ts'
import { boundedMessage } from '#platform/bounded-text.ts'
import { Refusal } from '#platform/errors.ts'
import { describeRrsets, notesOf, type SentNotes } from './describe-rrset.ts'
import type { ParsedImport } from './import-zone.ts'
import { previewChange } from './preview-change.ts'
import { leftToWire, readChanges, readFile, readRrsets, type SentRrset } from './read-import.ts'
import { RecordAccess } from './record-access.ts'
import { type RecordWriter, requestOf, type WriteCall, type WriteWish } from './record-writer.ts'
import { bulkBody, faultsOnLines, headersOf } from './write-answers.ts'

/** The routes that write many rrsets at once. */
export function mountBulkWrites(server: HttpServer, writer: RecordWriter): void {
  const { finish } = writer
  server.mount(
    rrsetRoutes.changeRrsets,
    async ({ body, ...call }) => {
      const wish = await readChanges(writer, call, body.changes, (i) => `/changes/${i}`)
      return writeBulk(writer, call, { ...wish, also: describing(call, wish, body.changes) })
    },
    { finish },
  )

  server.mount(
    rrsetRoutes.replaceRrsets,
    async ({ body, ...call }) => {
      const wish = await readChanges(writer, call, body.rrsets, (i) => `/rrsets/${i}`)
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
      const file = await writer.parsingFile(call, () => readFile(writer, call, body))
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
  const { wish, left } = await readRrsets(writer, call, rrsets)
  return writeBulk(writer, call, { ...wish, replaceAll, more: { ...leftToWire(left), errors: [] } })
}

/** Writes the comments and labels of a request, if it has any. Those of record sets that it deletes are deleted with them. */
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
