import { rrsetRoutes } from '@zonewright/contract'
import type { Answer } from '#http/call.ts'
import type { HttpServer } from '#http/server.ts'
import { resolvedByWrite } from './alias-records.ts'
import { preloadZone } from './preload.ts'
import { RecordAccess } from './record-access.ts'
import type { RecordWriter, WriteCall } from './record-writer.ts'
import { type Ask, type ChangePath, pathBelow, type RequestedChange } from './rrset-change.ts'
import { readRrset } from './store.ts'
import { answerOne, headersOf } from './write-answers.ts'

/** The places of the parts of a change that the path names: `/zones/{zone}/rrsets/{name}/{type}`. */
const pathOfSingle: ChangePath = { ...pathBelow(''), name: 'name', type: 'type' }

/** The routes that write one rrset. */
export function mountSingleWrites(server: HttpServer, writer: RecordWriter): void {
  const { finish } = writer
  server.mount(
    rrsetRoutes.putRrset,
    ({ params, body, ...call }) =>
      changeOne(
        writer,
        call,
        { ...params, ttl: body.ttl, ask: { kind: 'replace', records: body.records } },
        pathOfSingle,
      ),
    { preload: preloadZone, finish },
  )
  server.mount(
    rrsetRoutes.createRrset,
    ({ body, ...call }) =>
      changeOne(
        writer,
        call,
        { name: body.name, type: body.type, ttl: body.ttl, ask: { kind: 'create', records: body.records } },
        pathBelow(''),
      ),
    { finish },
  )
  server.mount(
    rrsetRoutes.patchRrset,
    ({ params, body, ...call }) =>
      changeOne(
        writer,
        call,
        { ...params, ttl: body.ttl, ask: { kind: 'edit', add: body.add ?? [], remove: body.remove ?? [] } },
        pathOfSingle,
      ),
    { preload: preloadZone, finish },
  )
  server.mount(
    rrsetRoutes.deleteRrset,
    ({ params, ...call }) =>
      changeOne(writer, call, { ...params, ask: { kind: 'replace', records: [] } }, pathOfSingle),
    { preload: preloadZone, finish },
  )
}

/** One rrset after any single write: 201 if it is new, 204 if it is deleted, otherwise 200. */
function changeOne(
  writer: RecordWriter,
  call: WriteCall,
  requested: RequestedChange,
  path: ChangePath,
): Promise<Answer> {
  const parsed = writer.parse(call, requested, path)
  const [change] = parsed.changes
  if (change === undefined) throw new Error('one change in, one out')
  return writer.write(call, { ...parsed, pathOf: () => placeOf(change.ask, path) }, async (result, db, warnings) => {
    const [rrset] = result.results
    if (!rrset) return { status: 204, headers: headersOf(result) }
    const untouched =
      result.moves.length === 0 ? await readRrset(db, call.zone.id, change.name, change.type) : undefined
    const updatedAt = untouched?.updatedAt ?? result.at
    return answerOne(new RecordAccess(call.caller, call.zone), result, {
      change,
      rrset,
      updatedAt,
      warnings: await warnings(),
      resolved: await resolvedByWrite(db, rrset),
    })
  })
}

function placeOf(ask: Ask, path: ChangePath): string {
  return ask.kind === 'edit' ? path.add : path.records
}
