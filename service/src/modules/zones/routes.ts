import { zoneRoutes, zoneToWire } from '@zonewright/contract'
import { noSuchZone } from '#http/authorise.ts'
import type { HttpServer } from '#http/server.ts'
import { Refusal } from '#platform/errors.ts'
import { type AddingParts, createZone } from './create-zone.ts'
import { deleteZone } from './delete-zone.ts'
import { type DeletedZone, pageOfDeleted } from './deleted-store.ts'
import { describeZone } from './describe-zone.ts'
import { readAvailability } from './read-availability.ts'
import { listZones, zoneOwningName } from './read-zones.ts'
import { restoreZone } from './restore-zone.ts'
import { undoDays } from './rules.ts'
import { serviceNamesOf } from './service-names.ts'
import { verificationOf } from './verification-store.ts'
import { type VerificationParts, verifyZone } from './verify-zone.ts'
import { unicodeName, zoneNameIn } from './zone-name.ts'
import { type ZoneViewParts, zoneViews } from './zone-views.ts'

/** What the zone routes need from other modules. */
export interface ZoneRoutesContext extends ZoneViewParts, VerificationParts, AddingParts {}

export function mountZoneRoutes(server: HttpServer, context: ZoneRoutesContext): void {
  const { db } = server.database
  const views = zoneViews(context)
  const serviceDomains = serviceNamesOf(context.nameservers)

  server.mount(zoneRoutes.listZones, async ({ caller, query, list }) => {
    const { owns_name: ownsName, ...rest } = query
    const filter = { ...rest, name: query.name && zoneNameIn(query.name) }
    const found =
      ownsName === undefined
        ? await listZones(db, caller, { ...filter, after: list.after('text', 'text') })
        : await zoneOwningName(db, caller, zoneNameIn(ownsName), filter)
    const page = list.page(found, ({ name, id }) => [name, id])
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
