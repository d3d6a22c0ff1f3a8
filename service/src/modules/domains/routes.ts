import { domainRoutes, type WireDomainInvitation, type WireRenewalCard } from '@zonewright/contract'
import type { Answer } from '#http/call.ts'
import type { HttpServer } from '#http/server.ts'
import { cardToWire, consentedCard } from '#modules/cards/index.ts'
import {
  type InvitationMails,
  type InvitationRow,
  invitationInWords,
  managerToWire,
  placeOf,
} from '#modules/sharing/index.ts'
import { cursorOf } from '#modules/zones/index.ts'
import type { Caller } from '#platform/caller.ts'
import type { Db } from '#platform/postgres/index.ts'
import { type Changed, changedDomainToWire, domainToWire } from './domain-view.ts'
import { domainFor, pageOfDomains } from './seen-domain.ts'
import { allowCard, setAutoRenew, withdrawCard } from './set-auto-renew.ts'
import { domainSharing } from './share-domain.ts'
import type { Domain } from './store.ts'

/** What the domain routes need from outside their module. */
export type DomainRoutesContext = InvitationMails

/** Routes that do not need a registry: reading, auto-renew, managers. */
export function mountDomainRoutes(server: HttpServer, context: DomainRoutesContext): void {
  const { db } = server.database

  server.mount(domainRoutes.listDomains, async ({ caller, query, list }) => {
    const { expires_before: expiresBefore, auto_renew: autoRenew, sort, ...rest } = query
    // The position after a name is after all its ids, because no two domains have the same name.
    const after = sort === 'name' ? list.after('text')?.concat('~') : list.after({ is: sort }, 'text', 'text', 'text')
    const found = await pageOfDomains(db, caller, { ...rest, expiresBefore, autoRenew, sort, after })
    const { rows, nextCursor } = list.page(found, ({ name, place }) =>
      sort === 'name' ? [name] : cursorOf(sort, place),
    )
    return { status: 200, body: { data: rows.map((row) => domainToWire(row)), next_cursor: nextCursor } }
  })

  server.mount(domainRoutes.getDomain, ({ caller, params }) => answerWith(db, caller, params.name))

  server.mount(domainRoutes.turnAutoRenewOn, async ({ caller, actor, params, transact }) => {
    const { name } = await domainFor(db, caller, params.name)
    return transact(async (tx) => {
      await setAutoRenew(tx, actor, name, true)
      return answerWithChange(tx, caller, name, 'auto_renew')
    })
  })

  server.mount(domainRoutes.turnAutoRenewOff, async ({ caller, actor, params, transact }) => {
    const { name } = await domainFor(db, caller, params.name, 'owner')
    return transact(async (tx) => {
      await setAutoRenew(tx, actor, name, false)
      return answerWith(tx, caller, name)
    })
  })

  server.mount(domainRoutes.getRenewalCard, async ({ caller, params }) => {
    const domain = await domainFor(db, caller, params.name, 'owner')
    return { status: 200, body: await renewalCardToWire(db, domain) }
  })

  server.mount(domainRoutes.allowRenewalCard, async ({ caller, actor, params, body, transact }) => {
    const domain = await domainFor(db, caller, params.name, 'owner')
    return transact(async (tx) => {
      await allowCard(tx, actor, caller.accountId, domain.name, body.card_id)
      return { status: 200, body: await renewalCardToWire(tx, domain) }
    })
  })

  server.mount(domainRoutes.withdrawRenewalCard, async ({ caller, actor, params, transact }) => {
    const { name } = await domainFor(db, caller, params.name, 'owner')
    return transact(async (tx) => {
      await withdrawCard(tx, actor, caller.accountId, name)
      return { status: 204 }
    })
  })

  server.mount(domainRoutes.listDomainManagers, async ({ caller, params, list }) => {
    const { id, role } = await domainFor(db, caller, params.name)
    const managers = await domainSharing.store.managers(db, id, role === 'owner' ? undefined : caller.accountId)
    const page = list.pageOfAll(managers, placeOf)
    return { status: 200, body: { data: page.rows.map(managerToWire), next_cursor: page.nextCursor } }
  })

  server.mount(domainRoutes.inviteDomainManager, async ({ caller, actor, params, body, transact }) => {
    const thing = await domainFor(db, caller, params.name, 'owner')
    const wish = { ownerId: caller.accountId, thing, email: body.email }
    return transact(async (tx) => {
      const invited = await domainSharing.invite(tx, actor, wish, context)
      return { status: 201, body: managerToWire(invited) }
    })
  })

  server.mount(domainRoutes.removeDomainManager, async ({ caller, actor, params, transact }) => {
    const thing = await domainFor(db, caller, params.name)
    return transact(async (tx) => {
      await domainSharing.remove(tx, actor, { callerId: caller.accountId, thing, whom: params.account })
      return { status: 204 }
    })
  })

  server.mount(domainRoutes.listDomainInvitations, async ({ caller, query, list }) => {
    const [before = null] = list.after('text') ?? []
    const rows = await domainSharing.store.invitations(db, caller.accountId, { before, max: query.limit + 1 })
    const page = list.page(rows, ({ id }) => [id])
    return { status: 200, body: { data: page.rows.map(invitationToWire), next_cursor: page.nextCursor } }
  })

  server.mount(domainRoutes.acceptDomainInvitation, ({ caller, actor, params, transact }) =>
    transact(async (tx) => {
      const { name } = await domainSharing.accept(tx, actor, caller.accountId, params.id)
      return answerWith(tx, caller, name)
    }),
  )

  server.mount(domainRoutes.declineDomainInvitation, ({ caller, actor, params, transact }) =>
    transact(async (tx) => {
      await domainSharing.decline(tx, actor, caller.accountId, params.id)
      return { status: 204 }
    }),
  )
}

/** The current domain. */
export async function answerWith(db: Db, caller: Caller, name: string, status = 200): Promise<Answer> {
  return { status, body: domainToWire(await domainFor(db, caller, name)) }
}

/** The same after a call that changed one member. A key without `domains:read` gets only that member. 202: not decided yet. */
export async function answerWithChange(
  db: Db,
  caller: Caller,
  name: string,
  changed: Changed,
  status: 200 | 202 = 200,
): Promise<Answer> {
  return { status, body: changedDomainToWire(caller, await domainFor(db, caller, name), changed, status === 202) }
}

async function renewalCardToWire(db: Db, { orderId, accountId }: Domain): Promise<WireRenewalCard> {
  const card = await consentedCard(db, { orderId, accountId })
  return { card: card ? cardToWire(card) : null, consented_at: card?.consentedAt.toISOString() ?? null }
}

function invitationToWire({ thing, ...invitation }: InvitationRow<number>): WireDomainInvitation {
  return { ...invitationInWords(invitation), domain: thing.name }
}
