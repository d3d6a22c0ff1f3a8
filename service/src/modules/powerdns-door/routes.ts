import { type DoorRoute, type PowerdnsSettings, type PowerdnsZone, powerdnsRoutes } from '@zonewright/contract'
import { noSuchZone } from '#http/authorise.ts'
import type { Answer, CalledZone } from '#http/call.ts'
import type { HttpServer } from '#http/server.ts'
import type { DoorCall, Doors } from '#modules/doors/index.ts'
import { exportZone, type RecordWriter, readWholeZone, resolvedOf } from '#modules/records/index.ts'
import { type AddingParts, readZone, type VerificationParts } from '#modules/zones/index.ts'
import { Refusal } from '#platform/errors.ts'
import { jsonBytes } from '#platform/json-pieces.ts'
import { inSlices } from '#platform/work/slices.ts'
import { changeSettings, readZoneSettings } from './change-settings.ts'
import { createZoneWithRecords } from './create-zone.ts'
import { readChanges } from './read-changes.ts'
import { powerdnsRefusal } from './refusals.ts'
import { listedZones, shownZone } from './show-zones.ts'
import { zoneNameOf } from './zone-id.ts'
import { serverJson } from './zone-json.ts'

/** Dependencies of the routes on other modules. */
export interface PowerdnsContext extends VerificationParts, AddingParts {
  readonly writer: RecordWriter
}

/** A request whose path names a live zone. */
type ZoneCall = DoorCall & { readonly zone: CalledZone }

export function mountPowerdnsDoor(server: HttpServer, doors: Doors, context: PowerdnsContext): void {
  const { database } = server
  const parts = { ...context, database }
  const { writer, nameservers } = parts

  const mount = (route: DoorRoute, answer: (call: DoorCall) => Promise<Answer>): void =>
    doors.mount(route, {
      credentials: ['x-api-key', 'bearer'],
      problem: powerdnsRefusal,
      zoneOf: ({ params: { zone } }) => (zone === undefined ? {} : { zoneRef: zoneNameOf(zone) }),
      answer,
    })
  const mountOfZone = (route: DoorRoute, answer: (call: ZoneCall) => Promise<Answer>): void =>
    mount(route, async (call) => {
      const { zone } = call
      // PowerDNS has only zones that are served.
      if (zone?.state !== 'live') throw noSuchZone()
      return answer({ ...call, zone })
    })

  mount(powerdnsRoutes.versions, () => json(200, [{ url: '/api/v1', version: 1 }]))
  mount(powerdnsRoutes.servers, () => json(200, [serverJson]))
  mount(powerdnsRoutes.server, () => json(200, serverJson))
  mount(powerdnsRoutes.config, () => json(200, []))
  mount(powerdnsRoutes.statistics, () => json(200, []))
  mount(powerdnsRoutes.other, async () => {
    throw new Refusal('not_found', 'PowerDNS has no such path, or it is not available here.')
  })

  mount(powerdnsRoutes.listZones, async ({ caller, request }) =>
    json(200, await listedZones(database.db, caller, request.query)),
  )
  mount(powerdnsRoutes.createZone, async ({ caller, actor, request }) => {
    await server.limits?.admitOutside('dns', caller.accountId)
    const zone = await createZoneWithRecords(parts, { caller, actor }, request.body as PowerdnsZone)
    const called = { ...zone, role: 'owner', covered: true, limits: null } as const
    return json(201, await shownZone(parts, { caller, zone: called }, request.query))
  })
  mountOfZone(powerdnsRoutes.getZone, async (call) => json(200, await shownZone(parts, call, call.request.query)))
  mountOfZone(powerdnsRoutes.patchZone, async ({ caller, actor, zone, request }) => {
    const { rrsets } = request.body as Pick<PowerdnsZone, 'rrsets'>
    const requested = await readChanges(parts, { caller, zone }, rrsets ?? [])
    if (requested.changes.length === 0) return { status: 204, writtenBytes: 0 }
    const call = { caller, actor, zone, ifMatch: undefined, query: { dry_run: false }, isKept: false }
    return writer.write({ ...call, transact: database.transact }, requested, async () => ({ status: 204 }))
  })
  mountOfZone(powerdnsRoutes.putZone, async ({ actor, zone, request }) => {
    const body = request.body as PowerdnsSettings
    const settings = readZoneSettings(body)
    if (body.rrsets != null)
      throw Refusal.of([
        { path: '/rrsets', code: 'invalid', message: 'Records are changed with PATCH. Leave rrsets out.' },
      ])
    return database.transactInTurn(zone.id, async (tx) => {
      const row = await readZone(tx, zone.id)
      if (row === undefined) throw noSuchZone()
      await changeSettings(tx, actor, row, settings)
      return { status: 204 }
    })
  })
  mountOfZone(powerdnsRoutes.deleteZone, async () => {
    throw new Refusal('forbidden', 'API keys cannot delete zones. Use the dashboard.')
  })

  // Nameservers are notified of each change automatically, and zones need no rectification.
  mountOfZone(powerdnsRoutes.notify, () => json(200, { result: 'Notification queued' }))
  mountOfZone(powerdnsRoutes.rectify, () => json(200, { result: 'Rectified' }))
  mountOfZone(powerdnsRoutes.exportZone, ({ caller, zone }) =>
    writer.reading({ caller }, async () => {
      const whole = await readWholeZone(database.db, zone.id)
      if (whole === undefined) throw noSuchZone()
      const aliases = await resolvedOf(database.db, zone.id, whole.rrsets)
      const body = await inSlices(exportZone({ ...whole, aliases }, nameservers, { comments: true }))
      return { status: 200, type: 'text/plain; charset=utf-8', body }
    }),
  )

  mountOfZone(powerdnsRoutes.listKeys, () => json(200, []))
  mountOfZone(powerdnsRoutes.getKey, async () => {
    throw new Refusal('not_found', 'The zone has no such key.')
  })
  for (const route of [powerdnsRoutes.createKey, powerdnsRoutes.changeKey])
    mountOfZone(route, async () => {
      throw new Refusal('forbidden', 'API keys cannot change the DNSSEC keys of a zone.')
    })
}

/** A JSON response as bytes, because Fastify would add a character set to the type of a text. */
async function json(status: number, value: unknown): Promise<Answer & { body: Buffer }> {
  return { status, type: 'application/json', body: await inSlices(jsonBytes(value)) }
}
