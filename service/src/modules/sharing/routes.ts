import { sharingRoutes, type WireInvitation, type WireManager } from '@zonewright/contract'
import type { HttpServer } from '#http/server.ts'
import { type ZoneViewParts, zoneViews } from '#modules/zones/index.ts'
import { Refusal } from '#platform/errors.ts'
import { placeOf } from './rules.ts'
import { zoneSharing } from './share-zone.ts'
import type { InvitationMails } from './sharing.ts'
import type { InvitationRow, ManagerRow } from './store.ts'

/** Dependencies of the sharing routes on other modules. */
export interface SharingRoutesContext extends ZoneViewParts, InvitationMails {}

export function mountSharingRoutes(server: HttpServer, context: SharingRoutesContext): void {
  const { db } = server.database
  const views = zoneViews(context)

  server.mount(sharingRoutes.listManagers, async ({ caller, zone, list }) => {
    const managers = await zoneSharing.store.managers(db, zone.id, zone.role === 'owner' ? undefined : caller.accountId)
    const page = list.pageOfAll(managers, placeOf)
    return { status: 200, body: { data: page.rows.map(managerToWire), next_cursor: page.nextCursor } }
  })

  server.mount(sharingRoutes.inviteManager, ({ caller, actor, zone, body, transact }) => {
    if (zone.role !== 'owner') throw new Refusal('forbidden', 'Only the owner of a zone can invite managers.')
    const wish = { ownerId: caller.accountId, thing: zone, email: body.email }
    return transact(async (tx) => {
      const invited = await zoneSharing.invite(tx, actor, wish, context)
      return { status: 201, body: managerToWire(invited) }
    })
  })

  server.mount(sharingRoutes.removeManager, ({ caller, actor, zone, params, transact }) =>
    transact(async (tx) => {
      await zoneSharing.remove(tx, actor, { callerId: caller.accountId, thing: zone, whom: params.account })
      return { status: 204 }
    }),
  )

  server.mount(sharingRoutes.listInvitations, async ({ caller, query, list }) => {
    const [before = null] = list.after('text') ?? []
    const rows = await zoneSharing.store.invitations(db, caller.accountId, { before, max: query.limit + 1 })
    const page = list.page(rows, ({ id }) => [id])
    return { status: 200, body: { data: page.rows.map(invitationToWire), next_cursor: page.nextCursor } }
  })

  server.mount(sharingRoutes.acceptInvitation, ({ caller, actor, params, transact }) =>
    transact(async (tx) => {
      const zone = await zoneSharing.accept(tx, actor, caller.accountId, params.id)
      return views.answer(tx, caller, zone.id, 200)
    }),
  )

  server.mount(sharingRoutes.declineInvitation, ({ caller, actor, params, transact }) =>
    transact(async (tx) => {
      await zoneSharing.decline(tx, actor, caller.accountId, params.id)
      return { status: 204 }
    }),
  )
}

/** A manager as the API shows it, for a zone or a domain. */
export function managerToWire(manager: ManagerRow): WireManager {
  return {
    account: manager.accountId,
    email: manager.email,
    state: manager.accountId === null ? 'invited' : 'accepted',
    since: manager.since.toISOString(),
    expires_at: manager.expiresAt?.toISOString() ?? null,
  }
}

function invitationToWire({ thing, ...invitation }: InvitationRow<string>): WireInvitation {
  return { ...invitationInWords(invitation), zone: thing.name }
}

/** The members of an invitation that zones and domains have in common. */
export function invitationInWords({ id, inviter, createdAt, expiresAt }: Omit<InvitationRow<unknown>, 'thing'>) {
  return { id, inviter, created_at: createdAt.toISOString(), expires_at: expiresAt.toISOString() }
}
