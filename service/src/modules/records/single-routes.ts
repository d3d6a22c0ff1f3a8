import { type Notes, rrsetRoutes } from '@zonewright/contract'
import type { Answer } from '#http/call.ts'
import type { HttpServer } from '#http/server.ts'
import { notesAfter } from '#modules/zones/index.ts'
import type { Tx } from '#platform/postgres/index.ts'
import { resolvedByWrite } from './alias-records.ts'
import { describeRrsets, notesOf } from './describe-rrset.ts'
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
        body,
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
        body,
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
        body,
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
  sent: Notes = {},
): Promise<Answer> {
  const parsed = writer.parse(call, requested, path)
  const notes = notesOf(call.caller, sent)
  const [change] = parsed.changes
  if (change === undefined) throw new Error('one change in, one out')
  const also = notes && ((tx: Tx) => describeRrsets(tx, call.actor, call.zone.id, [{ ...change, ...notes }]))
  const wish = { ...parsed, also, pathOf: () => placeOf(change.ask, path) }
  return writer.write(call, wish, async (result, db, warnings) => {
    const [rrset] = result.results
    if (!rrset) return { status: 204, headers: headersOf(result) }
    const isTouched = result.moves.length > 0
    const known =
      isTouched && notes === undefined ? undefined : await readRrset(db, call.zone.id, change.name, change.type)
    const updatedAt = isTouched ? result.at : (known?.updatedAt ?? result.at)
    const access = new RecordAccess(call.caller, call.zone)
    return answerOne(access, result, {
      change,
      rrset,
      notes: notes && notesAfter(access.mayRead(change) ? known : undefined, notes),
      updatedAt,
      warnings: await warnings(),
      resolved: await resolvedByWrite(db, rrset),
    })
  })
}

function placeOf(ask: Ask, path: ChangePath): string {
  return ask.kind === 'edit' ? path.add : path.records
}
