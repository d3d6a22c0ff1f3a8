import { type RrsetView, rrsetRoutes, rrsetToWire } from '@zonewright/contract'
import { noSuchZone } from '#http/authorise.ts'
import type { CalledZone } from '#http/call.ts'
import type { HttpServer } from '#http/server.ts'
import { readZone } from '#modules/zones/index.ts'
import { Refusal } from '#platform/errors.ts'
import { etagOf } from '#platform/http/etag.ts'
import { Gather } from '#platform/work/gather.ts'
import { inSlices } from '#platform/work/slices.ts'
import { Slots } from '#platform/work/slots.ts'
import { resolvedOf } from './alias-records.ts'
import { preloadRrset, RrsetPreload } from './preload.ts'
import { exportZone, managedRrsets, viewOf } from './read-rrsets.ts'
import { RecordAccess } from './record-access.ts'
import { maxWaiting } from './record-writer.ts'
import { parseTarget } from './rrset-change.ts'
import { type FoundRrset, findRrsets, pageOfRrsets, type RrsetAsk, readWholeZone } from './store.ts'

/** How concurrent reads of rrsets are batched: the maximum number per statement, and the maximum number of statements at once. */
const gathering = { maxItems: 100, slots: 2, besides: 16 }

/** How many zone files a process writes at once: the text of a full zone takes some hundred megabytes to write. */
const maxExports = 2

/** The routes that read records. */
export function mountReads(server: HttpServer, nameservers: readonly string[]): void {
  const { db } = server.database
  const rrsets = new Gather<RrsetAsk, FoundRrset | undefined>(gathering, (asks) => findRrsets(db, asks))
  const exports = new Slots(maxExports, maxWaiting)

  /** The managed rrset of this type at a zone's apex; undefined: the type is not managed. */
  async function ownRrset(zoneId: string, type: string): Promise<{ version: number; rrset: RrsetView } | undefined> {
    if (type !== 'SOA' && type !== 'NS') return undefined
    const row = await readZone(db, zoneId)
    if (row === undefined) throw noSuchZone()
    const rrset = managedRrsets(row, nameservers).find((own) => own.type === type)
    return rrset && { version: row.version, rrset }
  }

  async function storedRrset({ id, preload }: CalledZone, name: string, type: string): Promise<FoundRrset | undefined> {
    return preload instanceof RrsetPreload && preload.isOf(name, type)
      ? preload.found
      : rrsets.ask({ zoneId: id, name, type })
  }

  server.mount(rrsetRoutes.listRrsets, async ({ caller, zone, query, list }) => {
    const row = await readZone(db, zone.id)
    if (row === undefined) throw noSuchZone()
    const access = new RecordAccess(caller, zone)
    const after = list.after('text', 'text')
    const wanted = filterOf(zone, query)
    const readable = { onlyAcme: access.readsOnlyAcme, limits: access.limits?.byType }
    const listed = await pageOfRrsets(db, zone.id, { ...wanted, ...readable, limit: query.limit, after })
    const page = list.page(listed, ({ name, type }) => [name, type])
    // The managed rrsets at the apex come first, on the first page, and do not count toward its limit.
    const own = after ? [] : managedRrsets(row, nameservers)
    const managed = own.filter((rrset) => access.mayRead(rrset) && matches(rrset, wanted))
    const resolved = await resolvedOf(db, zone.id, page.rows)
    const shown = page.rows.map((rrset) => viewOf(rrset, rrset.type === 'ALIAS' ? resolved.get(rrset.name) : undefined))
    const data = [...managed, ...shown].map(rrsetToWire)
    return { status: 200, body: { data, next_cursor: page.nextCursor }, headers: { etag: etagOf(row.version) } }
  })

  server.mount(
    rrsetRoutes.getRrset,
    async ({ caller, zone, params }) => {
      const { name, type } = parseTarget(zone.name, params)
      new RecordAccess(caller, zone).refuseRead({ name, type })
      const own = name === zone.name ? await ownRrset(zone.id, type) : undefined
      const found = own ?? (await storedRrset(zone, name, type))
      if (found === undefined) throw noSuchZone()
      const { version, rrset } = found
      if (rrset === null) throw new Refusal('not_found', `${name} has no ${type} records.`)
      const resolved = await resolvedOf(db, zone.id, [rrset])
      return {
        status: 200,
        body: rrsetToWire(viewOf(rrset, resolved.get(rrset.name))),
        headers: { etag: etagOf(version) },
      }
    },
    { preload: preloadRrset },
  )

  server.mount(rrsetRoutes.exportZone, ({ caller, zone, query }) =>
    exports.run(async () => {
      const whole = await readWholeZone(db, zone.id)
      if (whole === undefined) throw noSuchZone()
      const aliases = await resolvedOf(db, zone.id, whole.rrsets)
      return {
        status: 200,
        type: 'text/dns; charset=utf-8',
        body: await inSlices(exportZone({ ...whole, aliases }, nameservers, { comments: query.alias === undefined })),
        headers: {
          etag: etagOf(whole.zone.version),
          'content-disposition': `attachment; filename="${zone.name}.zone"`,
        },
      }
    }, caller.accountId),
  )
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
