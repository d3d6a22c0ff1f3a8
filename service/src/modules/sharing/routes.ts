import { sharingRoutes, type WireInvitation, type WireManager } from '@zonewright/contract'
import { type ZoneViewParts, zoneViews } from '#modules/zones/index.ts'
import { Refusal } from '#platform/errors.ts'
import { anyText, decodeCursor, pageFrom, pageWithin } from '#platform/http/cursor.ts'
import { mount } from '#platform/http/mount.ts'
import type { HttpServer } from '#platform/http/server.ts'
import { acceptInvitation, declineInvitation } from './answer-invitation.ts'
import { type InvitationMails, inviteManager } from './invite-manager.ts'
import { removeManager } from './remove-manager.ts'
import { placeOf } from './rules.ts'
import { type InvitationRow, type ManagerRow, readInvitations, readManagers } from './store.ts'

/** What the sharing routes need from outside their module. */
export interface SharingRoutesContext extends ZoneViewParts, InvitationMails {}

export function mountSharingRoutes(server: HttpServer, context: SharingRoutesContext): void {
  const { db } = server.database
  const views = zoneViews(context)

  mount(server, sharingRoutes.listManagers, async ({ caller, zone, query }) => {
    const managers = await readManagers(db, zone.id, zone.role === 'owner' ? undefined : caller.accountId)
    const page = pageWithin(managers, query, placeOf)
    return { status: 200, body: { data: page.rows.map(managerToWire), next_cursor: page.nextCursor } }
  })

  mount(server, sharingRoutes.inviteManager, ({ caller, actor, zone, body, transact }) => {
    if (zone.role !== 'owner') throw new Refusal('forbidden', 'Only the owner of a zone invites managers.')
    const wish = { ownerId: caller.accountId, zoneId: zone.id, email: body.email }
    return transact(async (tx) => {
      const invited = await inviteManager(tx, actor, wish, context)
      return { status: 201, body: managerToWire(invited) }
    })
  })

  mount(server, sharingRoutes.removeManager, ({ caller, actor, zone, params, transact }) =>
    transact(async (tx) => {
      await removeManager(tx, actor, { callerId: caller.accountId, zoneId: zone.id, whom: params.account })
      return { status: 204 }
    }),
  )

  mount(server, sharingRoutes.listInvitations, async ({ caller, query }) => {
    const [before = null] = decodeCursor(query.cursor, [anyText]) ?? []
    const rows = await readInvitations(db, caller.accountId, { before, max: query.limit + 1 })
    const page = pageFrom(rows, query.limit, ({ id }) => [id])
    return { status: 200, body: { data: page.rows.map(invitationToWire), next_cursor: page.nextCursor } }
  })

  mount(server, sharingRoutes.acceptInvitation, ({ caller, actor, params, transact }) =>
    transact(async (tx) => {
      const zone = await acceptInvitation(tx, actor, caller.accountId, params.id)
      return views.answer(tx, caller.accountId, zone.id, 200)
    }),
  )

  mount(server, sharingRoutes.declineInvitation, ({ caller, actor, params, transact }) =>
    transact(async (tx) => {
      await declineInvitation(tx, actor, caller.accountId, params.id)
      return { status: 204 }
    }),
  )
}

/** As the API tells it: of a zone, or of a domain. */
export function managerToWire(manager: ManagerRow): WireManager {
  return {
    account: manager.accountId,
    email: manager.email,
    state: manager.accountId === null ? 'invited' : 'accepted',
    since: manager.since.toISOString(),
    expires_at: manager.expiresAt?.toISOString() ?? null,
  }
}

function invitationToWire(invitation: InvitationRow): WireInvitation {
  return {
    id: invitation.id,
    zone: invitation.zone,
    inviter: invitation.inviter,
    created_at: invitation.createdAt.toISOString(),
    expires_at: invitation.expiresAt.toISOString(),
  }
}
