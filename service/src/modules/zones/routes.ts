import { type ZoneView, zoneRoutes, zoneToWire } from '@zonewright/contract'
import type { Db } from '#platform/db.ts'
import { noSuchZone } from '#platform/http/authorise.ts'
import { etagOf } from '#platform/http/etag.ts'
import { apiPrefix, mount } from '#platform/http/mount.ts'
import type { HttpServer } from '#platform/http/server.ts'
import { createZone } from './create-zone.ts'
import { listZones, zoneOwningName } from './read-zones.ts'
import { readZone, type ZoneRow } from './store.ts'
import { parseZoneRef, unicodeName } from './zone-name.ts'

/** What the zone routes need from outside their module. */
export interface ZoneRoutesContext {
  readonly nameservers: readonly string[]
  readonly serviceDomains: readonly string[]
  /** Of these zones, those whose present serial every nameserver serves. */
  readonly replicated: (db: Db, zoneIds: readonly string[]) => Promise<ReadonlySet<string>>
}

export function mountZoneRoutes(server: HttpServer, context: ZoneRoutesContext): void {
  const { db } = server.database

  mount(server, zoneRoutes.listZones, async ({ caller, query }) => {
    const { owns_name: ownsName, ...filter } = query
    const name = query.name && nameIn(query.name)
    const page =
      ownsName === undefined
        ? await listZones(db, caller, { ...filter, name })
        : { rows: await zoneOwningName(db, caller, nameIn(ownsName)), nextCursor: null }
    const replicated = await context.replicated(
      db,
      page.rows.map((zone) => zone.id),
    )
    const data = page.rows.map((zone) => zoneToWire(viewOf(zone, caller.accountId, replicated)))
    return { status: 200, body: { data, next_cursor: page.nextCursor } }
  })

  mount(server, zoneRoutes.createZone, ({ caller, actor, body, transact }) =>
    transact(async (tx) => {
      const owner = { actor, accountId: caller.accountId, serviceDomains: context.serviceDomains }
      const zone = await createZone(tx, owner, body.name)
      return {
        status: 201,
        body: zoneToWire(viewOf(zone, caller.accountId, new Set())),
        headers: { etag: etagOf(zone.version), location: `${apiPrefix}/zones/${zone.id}` },
      }
    }),
  )

  mount(server, zoneRoutes.getZone, async ({ caller, zone }) => {
    const row = await readZone(db, zone.id)
    if (row === undefined) throw noSuchZone()
    const replicated = await context.replicated(db, [row.id])
    return {
      status: 200,
      body: zoneToWire(viewOf(row, caller.accountId, replicated)),
      headers: { etag: etagOf(row.version) },
    }
  })

  function viewOf(zone: ZoneRow, accountId: string, replicated: ReadonlySet<string>): ZoneView {
    return {
      ...zone,
      unicodeName: unicodeName(zone.name),
      role: zone.accountId === accountId ? 'owner' : 'manager',
      replicated: replicated.has(zone.id),
      nameservers: context.nameservers,
    }
  }
}

function nameIn(text: string): string {
  const ref = parseZoneRef(text)
  return 'name' in ref ? ref.name : text
}
