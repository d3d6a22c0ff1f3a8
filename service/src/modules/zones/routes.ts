import { zoneRoutes, zoneToWire } from '@zonewright/contract'
import { noSuchZone } from '#http/authorise.ts'
import type { HttpServer } from '#http/server.ts'
import { Refusal } from '#platform/errors.ts'
import { type AddingParts, createZone } from './create-zone.ts'
import { deleteZone } from './delete-zone.ts'
import { type DeletedZone, pageOfDeleted } from './deleted-store.ts'
import { describeZone } from './describe-zone.ts'
import { labelZones } from './label-zones.ts'
import { readAvailabilities, readAvailability } from './read-availability.ts'
import { listZones, zoneOwningName } from './read-zones.ts'
import { restoreZone } from './restore-zone.ts'
import { undoDays } from './rules.ts'
import { serviceNamesOf } from './service-names.ts'
import { cursorOf } from './sorted-page.ts'
import { verificationOf } from './verification-store.ts'
import { type VerificationParts, verifyZone } from './verify-zone.ts'
import { unicodeName, zoneNameIn } from './zone-name.ts'
import { type ZoneViewParts, zoneViews } from './zone-views.ts'

/** What the zone routes need from other modules. */
export interface ZoneRoutesContext extends ZoneViewParts, VerificationParts, AddingParts {
  /** The ids of all presets. */
  readonly presetIds: readonly string[]
}

export function mountZoneRoutes(server: HttpServer, context: ZoneRoutesContext): void {
  const { db } = server.database
  const views = zoneViews(context)
  const serviceDomains = serviceNamesOf(context.nameservers)

  server.mount(zoneRoutes.listZones, async ({ caller, query, list }) => {
    const { owns_name: ownsName, expires_before: expiresBefore, sort, limit, ...rest } = query
    if (rest.preset !== undefined) refuseUnknownPreset(rest.preset, context.presetIds)
    const filter = { ...rest, expiresBefore, name: query.name && zoneNameIn(query.name) }
    if (ownsName !== undefined) {
      const zones = await zoneOwningName(db, caller, zoneNameIn(ownsName), filter)
      const data = (await views.of(db, caller.accountId, zones)).map(zoneToWire)
      return { status: 200, body: { data, next_cursor: null } }
    }
    const after = sort === 'name' ? list.after('text', 'text') : list.after({ is: sort }, 'text', 'text', 'text')
    const page = list.page(await listZones(db, caller, { ...filter, sort, limit, after }), (zone) =>
      cursorOf(sort, zone),
    )
    const data = (await views.of(db, caller.accountId, page.rows)).map(zoneToWire)
    return { status: 200, body: { data, next_cursor: page.nextCursor } }
  })

  server.mount(zoneRoutes.createZone, ({ caller, actor, body, transact }) =>
    transact(async (tx) => {
      const owner = { actor, accountId: caller.accountId, serviceDomains }
      const zone = await createZone(tx, context, owner, body.name)
      const answer = await views.answer(tx, caller, zone.id, 201)
      return { ...answer, location: `/zones/${zone.id}` }
    }),
  )

  server.mount(zoneRoutes.zoneAvailability, async ({ caller, query }) => ({
    status: 200,
    body: await readAvailability(db, caller.accountId, query.name, serviceDomains),
  }))

  server.mount(zoneRoutes.checkZones, async ({ caller, body }) => {
    const { found, zonesLeft } = await readAvailabilities(db, caller.accountId, body.names, serviceDomains)
    return { status: 200, body: { data: [...found], zones_left: zonesLeft } }
  })

  server.mount(zoneRoutes.labelZones, ({ caller, actor, body, transact }) =>
    transact(async (tx) => ({
      status: 200,
      body: { data: [...(await labelZones(tx, actor, caller.accountId, body))] },
    })),
  )

  server.mount(zoneRoutes.getZone, ({ caller, zone }) => views.answer(db, caller, zone.id, 200))

  server.mount(zoneRoutes.describeZone, ({ caller, actor, zone, body, transact }) =>
    transact(async (tx) => {
      await describeZone(tx, actor, zone.id, body)
      return views.answer(tx, caller, zone.id, 200)
    }),
  )

  server.mount(zoneRoutes.deleteZone, ({ actor, zone, body, ifMatch, transact }) => {
    refuseOtherName(zone.name, body.name)
    if (zone.role !== 'owner') throw new Refusal('forbidden', 'Only the owner of a zone can delete it.')
    return transact(async (tx) => {
      if (!(await deleteZone(tx, actor, zone.id, context.delegate, ifMatch))) throw noSuchZone()
      return { status: 204 }
    })
  })

  server.mount(zoneRoutes.listDeletedZones, async ({ caller, query, list }) => {
    const wanted = { days: undoDays, after: list.after('instant', 'uuid'), limit: query.limit }
    const rows = await pageOfDeleted(db, caller.accountId, wanted)
    const page = list.page(rows, ({ deletedAtText, id }) => [deletedAtText, id])
    return { status: 200, body: { data: page.rows.map(deletedToWire), next_cursor: page.nextCursor } }
  })

  server.mount(zoneRoutes.restoreZone, ({ caller, actor, params, transact }) =>
    transact(async (tx) => {
      const zone = await restoreZone(tx, context, { actor, accountId: caller.accountId, serviceDomains }, params.id)
      return views.answer(tx, caller, zone.id, 200)
    }),
  )

  server.mount(zoneRoutes.verifyZone, ({ caller, actor, zone, once }) =>
    once(async () => {
      const verification = await verificationOf(db, zone.id)
      if (verification) await verifyZone(server.database, context, actor, verification)
      return views.answer(db, caller, zone.id, 200)
    }),
  )
}

function refuseUnknownPreset(id: string, known: readonly string[]): void {
  if (known.includes(id)) return
  const message = `This is not the id of a preset. The presets are ${known.join(', ')}.`
  throw Refusal.of([{ path: 'preset', code: 'unknown', message }])
}

function refuseOtherName(name: string, typed: string): void {
  if (zoneNameIn(typed) === name) return
  const message = `Enter ${name} to confirm the deletion.`
  throw new Refusal('validation_failed', message, { details: [{ path: '/name', code: 'other_name', message }] })
}

function deletedToWire(zone: DeletedZone) {
  return {
    id: zone.id,
    name: zone.name,
    unicode_name: unicodeName(zone.name),
    deleted_at: zone.deletedAt.toISOString(),
    erased_at: zone.erasedAt.toISOString(),
  }
}
