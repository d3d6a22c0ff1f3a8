import { type RrsetView, rrsetRoutes, rrsetToWire } from '@zonewright/contract'
import { readZone } from '#modules/zones/index.ts'
import type { Caller } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import { noSuchZone } from '#platform/http/authorise.ts'
import type { Answer, CalledZone } from '#platform/http/call.ts'
import { decodeCursor, pageFrom } from '#platform/http/cursor.ts'
import { etagOf } from '#platform/http/etag.ts'
import { mount } from '#platform/http/mount.ts'
import type { HttpServer } from '#platform/http/server.ts'
import { onlyAcme, refuseForeign } from './acme.ts'
import { type ChangeRequest, changeRrsets } from './change-rrsets.ts'
import { parseImport } from './import-zone.ts'
import { exportZone, managedRrsets, viewOf } from './read-rrsets.ts'
import {
  type Ask,
  type ChangePath,
  parseChange,
  parseTarget,
  pathBelow,
  type RequestedChange,
  type RrsetChange,
  readableTargets,
  refusalOf,
} from './rrset-change.ts'
import { pageOfRrsets, readRrset, readWholeZone } from './store.ts'
import { allOrRefuse, answerOne, bulkBody, faultsOnLines, headersOf } from './write-answers.ts'

/** What the record routes need from outside their module. */
export interface RecordRoutesContext {
  /** Host names of the nameservers, the primary of the SOA first. */
  readonly nameservers: readonly string[]
}

/** Places of the parts of a change that the path names: `/zones/{zone}/rrsets/{name}/{type}`. */
const pathOfSingle: ChangePath = { ...pathBelow(''), name: 'name', type: 'type' }

export function mountRecordRoutes(server: HttpServer, context: RecordRoutesContext): void {
  mountReads(server, context)
  mountSingleWrites(server)
  mountBulkWrites(server)
}

function mountReads(server: HttpServer, { nameservers }: RecordRoutesContext): void {
  const { db } = server.database

  mount(server, rrsetRoutes.listRrsets, async ({ caller, zone, query }) => {
    const row = await readZone(db, zone.id)
    if (row === undefined) throw noSuchZone()
    const acme = onlyAcme(caller, 'records:read')
    const after = decodeCursor(query.cursor, 2)
    const wanted = filterOf(zone, query)
    const rrsets = await pageOfRrsets(db, zone.id, { ...wanted, limit: query.limit, after, onlyAcme: acme })
    const page = pageFrom(rrsets, query.limit, ({ name, type }) => [name, type])
    // The service's own stand before all others, on the first page, and do not count towards its limit.
    const managed = after || acme ? [] : managedRrsets(row, nameservers).filter((rrset) => matches(rrset, wanted))
    const data = [...managed, ...page.rows.map(viewOf)].map(rrsetToWire)
    return { status: 200, body: { data, next_cursor: page.nextCursor }, headers: { etag: etagOf(row.version) } }
  })

  mount(server, rrsetRoutes.getRrset, async ({ caller, zone, params }) => {
    const { name, type } = parseTarget(zone.name, params)
    refuseForeign(caller, 'records:read', [{ name, type }])
    const row = await readZone(db, zone.id)
    if (row === undefined) throw noSuchZone()
    const own = managedRrsets(row, nameservers).find((rrset) => rrset.name === name && rrset.type === type)
    const stored = own ? undefined : await readRrset(db, zone.id, name, type)
    const rrset = own ?? (stored && viewOf(stored))
    if (rrset === undefined) throw new Refusal('not_found', `${name} has no ${type} records.`)
    return { status: 200, body: rrsetToWire(rrset), headers: { etag: etagOf(row.version) } }
  })

  mount(server, rrsetRoutes.exportZone, async ({ zone }) => {
    const whole = await readWholeZone(db, zone.id)
    if (whole === undefined) throw noSuchZone()
    return {
      status: 200,
      type: 'text/dns; charset=utf-8',
      body: exportZone(whole.zone, whole.rrsets, nameservers),
      headers: { etag: etagOf(whole.zone.version), 'content-disposition': `attachment; filename="${zone.name}.zone"` },
    }
  })
}

function mountSingleWrites(server: HttpServer): void {
  mount(server, rrsetRoutes.putRrset, ({ params, body, ...call }) =>
    changeOne(call, { ...params, ttl: body.ttl, ask: { kind: 'replace', records: body.records } }, pathOfSingle),
  )
  mount(server, rrsetRoutes.createRrset, ({ body, ...call }) =>
    changeOne(
      call,
      { name: body.name, type: body.type, ttl: body.ttl, ask: { kind: 'create', records: body.records } },
      pathBelow(''),
    ),
  )
  mount(server, rrsetRoutes.patchRrset, ({ params, body, ...call }) =>
    changeOne(
      call,
      { ...params, ttl: body.ttl, ask: { kind: 'edit', add: body.add ?? [], remove: body.remove ?? [] } },
      pathOfSingle,
    ),
  )
  mount(server, rrsetRoutes.deleteRrset, ({ params, ...call }) =>
    changeOne(call, { ...params, ask: { kind: 'replace', records: [] } }, pathOfSingle),
  )
}

function mountBulkWrites(server: HttpServer): void {
  mount(server, rrsetRoutes.changeRrsets, ({ body, ...call }) => {
    const requested = body.changes.map(
      ({ records, ...change }): RequestedChange => ({ ...change, ask: { kind: 'replace', records } }),
    )
    const pathOf = (i: number): string => `/changes/${i}`
    const changes = parseChanges(call, requested, (i) => pathBelow(pathOf(i)))
    return call.transact(async (tx) => {
      const result = await changeRrsets(tx, { ...wish(call), changes, pathOf })
      return { status: 200, body: bulkBody(call.caller, result, changes), headers: headersOf(result) }
    })
  })

  mount(server, rrsetRoutes.importZone, async ({ body, ...call }) => {
    const file = parseImport(call.zone.name, body)
    const { dry_run: dryRun, mode } = call.query
    return call.transact(async (tx) => {
      // What can be read of a faulty file is planned too, so that every fault is told at once.
      const request = {
        ...wish(call),
        dryRun: dryRun || file.faults.length > 0,
        changes: file.changes,
        replaceAll: mode === 'replace',
        pathOf: String,
      }
      const planned = await changeRrsets(tx, request).catch((error: unknown) => faultsOnLines(error, file.lines))
      const faults = [...file.faults, ...(Array.isArray(planned) ? planned : [])].sort(
        (a, b) => (a.line ?? 0) - (b.line ?? 0),
      )
      if (Array.isArray(planned) || (faults.length > 0 && !dryRun)) throw refusalOf(faults)
      const errors = faults.map(({ line, code, message }) => ({ line, code, message }))
      return {
        status: 200,
        body: { ...bulkBody(call.caller, planned, file.changes), ignored: file.ignored, errors },
        headers: headersOf(planned),
      }
    })
  })
}

/** The members of a call that every write needs. */
interface WriteCall {
  readonly caller: Caller
  readonly actor: ChangeRequest['actor']
  readonly zone: CalledZone
  readonly ifMatch: number | undefined
  readonly query: { dry_run: boolean }
  readonly transact: (work: (tx: Parameters<typeof changeRrsets>[0]) => Promise<Answer>) => Promise<Answer>
}

function wish(call: WriteCall): Pick<ChangeRequest, 'zoneId' | 'actor' | 'ifMatch' | 'dryRun'> {
  return { zoneId: call.zone.id, actor: call.actor, ifMatch: call.ifMatch, dryRun: call.query.dry_run }
}

/** One rrset, by any of the single writes: 201 when it is new, 204 when it is gone, else 200. */
function changeOne(call: WriteCall, requested: RequestedChange, path: ChangePath): Promise<Answer> {
  const [change] = parseChanges(call, [requested], () => path)
  if (change === undefined) throw new Error('one change in, one out')
  return call.transact(async (tx) => {
    const result = await changeRrsets(tx, { ...wish(call), changes: [change], pathOf: () => placeOf(change.ask, path) })
    const untouched =
      result.moves.length === 0 ? await readRrset(tx, call.zone.id, change.name, change.type) : undefined
    return answerOne(call.caller, result, change, untouched?.updatedAt ?? result.at)
  })
}

/** The changes in canonical form. Refuses first what the caller may not touch, then every fault at once. */
function parseChanges(
  { caller, zone }: WriteCall,
  requested: readonly RequestedChange[],
  pathOf: (index: number) => ChangePath,
): RrsetChange[] {
  if (onlyAcme(caller, 'records:write')) refuseForeign(caller, 'records:write', readableTargets(zone.name, requested))
  return allOrRefuse(requested.map((change, i) => parseChange(zone.name, change, pathOf(i))))
}

function placeOf(ask: Ask, path: ChangePath): string {
  return ask.kind === 'edit' ? path.add : path.records
}

function filterOf(
  zone: CalledZone,
  query: { name?: string | undefined; type?: string | undefined; q?: string | undefined },
) {
  return {
    name: query.name === undefined ? undefined : parseTarget(zone.name, { name: query.name, type: 'A' }).name,
    type: query.type === undefined ? undefined : parseTarget(zone.name, { name: '@', type: query.type }).type,
    q: query.q,
  }
}

function matches(
  rrset: RrsetView,
  filter: { name: string | undefined; type: string | undefined; q: string | undefined },
): boolean {
  const q = filter.q?.toLowerCase()
  return (
    (filter.name === undefined || rrset.name === filter.name) &&
    (filter.type === undefined || rrset.type === filter.type) &&
    (q === undefined || rrset.name.includes(q) || rrset.records.join(' ').toLowerCase().includes(q))
  )
}
