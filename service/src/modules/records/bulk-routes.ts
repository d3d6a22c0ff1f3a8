import { rrsetRoutes } from '@zonewright/contract'
import { readZone } from '#modules/zones/index.ts'
import { noSuchZone } from '#platform/http/authorise.ts'
import type { Answer } from '#platform/http/call.ts'
import { preconditionFailed } from '#platform/http/etag.ts'
import { mount } from '#platform/http/mount.ts'
import type { HttpServer } from '#platform/http/server.ts'
import { type ParsedImport, parseImport } from './import-zone.ts'
import { previewChange } from './preview-change.ts'
import { type RecordWriter, requestOf, type WriteCall, type WriteWish } from './record-writer.ts'
import { pathBelow, type RequestedChange, refusalOf } from './rrset-change.ts'
import { bulkBody, faultsOnLines, headersOf } from './write-answers.ts'

/** An rrset as a body has it. */
interface SentRrset {
  readonly name: string
  readonly type: string
  readonly ttl?: number | undefined
  readonly records: readonly string[]
}

/** The routes that write many rrsets at once. */
export function mountBulkWrites(server: HttpServer, writer: RecordWriter): void {
  mount(server, rrsetRoutes.changeRrsets, ({ body, ...call }) =>
    writeBulk(writer, call, wishOf(writer, call, body.changes, '/changes')),
  )

  mount(server, rrsetRoutes.replaceRrsets, ({ body, ...call }) =>
    writeBulk(writer, call, { ...wishOf(writer, call, body.rrsets, '/rrsets'), replaceAll: true }),
  )

  mount(server, rrsetRoutes.importZone, async ({ body, ...call }) => {
    const replaceAll = call.query.mode === 'replace'
    if (typeof body === 'string') return importFile(writer, call, await readFile(writer, call, body), replaceAll)
    const wish = { ...wishOf(writer, call, body.rrsets, '/rrsets'), replaceAll }
    return writeBulk(writer, call, { ...wish, more: { ignored: [], errors: [] } })
  })
}

function wishOf(writer: RecordWriter, call: WriteCall, rrsets: readonly SentRrset[], path: string): WriteWish {
  const requested = rrsets.map(
    ({ records, ...rrset }): RequestedChange => ({ ...rrset, ask: { kind: 'replace', records } }),
  )
  const pathOf = (i: number): string => `${path}/${i}`
  return { ...writer.parse(call, requested, (i) => pathBelow(pathOf(i))), pathOf }
}

function writeBulk(writer: RecordWriter, call: WriteCall, wish: WriteWish): Promise<Answer> {
  return writer.write(call, wish, async (result) => ({
    status: 200,
    body: { ...bulkBody(call.caller, result, wish.changes), ...wish.more },
    headers: headersOf(result),
  }))
}

/** Reads a file as far as the zone can hold what it says. */
async function readFile(writer: RecordWriter, { zone, ifMatch }: WriteCall, text: string): Promise<ParsedImport> {
  const row = await readZone(writer.db, zone.id)
  if (row === undefined) throw noSuchZone()
  if (ifMatch !== undefined && ifMatch !== row.version) throw preconditionFailed()
  return parseImport(row, text)
}

/** A faulty file is refused whole; in a dry run its faults are listed beside what the rest of it would do. */
async function importFile(
  writer: RecordWriter,
  call: WriteCall,
  file: ParsedImport,
  replaceAll: boolean,
): Promise<Answer> {
  const wish = { changes: file.changes, warnings: [], replaceAll, pathOf: String }
  // What can be read of a faulty file is planned too, so that every fault is told at once.
  const onLines = (error: unknown): never => {
    throw refusalOf([...file.faults, ...faultsOnLines(error, file.lines)].sort((a, b) => (a.line ?? 0) - (b.line ?? 0)))
  }
  if (file.faults.length > 0 && !call.query.dry_run) {
    await previewChange(writer.db, requestOf(call, wish)).catch(onLines)
    throw refusalOf(file.faults)
  }
  const errors = file.faults.map(({ line, code, message }) => ({ line, code, message }))
  return writeBulk(writer, call, { ...wish, more: { ignored: file.ignored, errors } }).catch(onLines)
}
