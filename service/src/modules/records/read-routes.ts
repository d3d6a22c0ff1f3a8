import { type RrsetView, rrsetRoutes, rrsetToWire } from '@zonewright/contract'
import { readZone } from '#modules/zones/index.ts'
import { Refusal } from '#platform/errors.ts'
import { noSuchZone } from '#platform/http/authorise.ts'
import type { CalledZone } from '#platform/http/call.ts'
import { anyText, decodeCursor, pageFrom } from '#platform/http/cursor.ts'
import { etagOf } from '#platform/http/etag.ts'
import { mount } from '#platform/http/mount.ts'
import type { HttpServer } from '#platform/http/server.ts'
import { onlyAcme, refuseForeign } from './acme.ts'
import { exportZone, managedRrsets, viewOf } from './read-rrsets.ts'
import { parseTarget } from './rrset-change.ts'
import { pageOfRrsets, readRrset, readWholeZone } from './store.ts'

/** The routes that read records. */
export function mountReads(server: HttpServer, nameservers: readonly string[]): void {
  const { db } = server.database

  mount(server, rrsetRoutes.listRrsets, async ({ caller, zone, query }) => {
    const row = await readZone(db, zone.id)
    if (row === undefined) throw noSuchZone()
    const acme = onlyAcme(caller, 'records:read')
    const after = decodeCursor(query.cursor, [anyText, anyText])
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
