import { lockAccount } from '#modules/accounts/index.ts'
import { nairaText } from '#modules/billing/index.ts'
import type { RenewByItself } from '#modules/domains/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { Database, Tx } from '#platform/db.ts'
import type { TldSetting } from '#platform/registries-setting.ts'
import type { SecretBox } from '#platform/secrets.ts'
import type { Registries } from '#ports/registry.ts'
import { workOutQuote } from './create-quote.ts'
import { moveOrder } from './move-order.ts'
import { dueOf } from './moves.ts'
import type { Order } from './order.ts'
import { makePayLink, payLinkDays, payLinkPurpose, payLinkUrl } from './pay-link.ts'
import { placeOrder } from './place-order.ts'
import { insertQuote } from './quote-store.ts'
import { quoteMinutes } from './rules.ts'
import { lockOrder, openOrderNamed } from './store.ts'

/**
 * Orders renewals of domains that are renewed by themselves: by credit as far as that goes, the rest by a pay link. An order of its own
 * from an earlier notice that nobody has paid is replaced: credit may have come since.
 */
export function renewByItself(parts: {
  database: Database
  tlds: readonly TldSetting[]
  registries: Registries
  secrets: SecretBox
  nameservers: readonly string[]
  site: string
}): RenewByItself {
  const { database, secrets, site } = parts
  return async ({ accountId, name }) => {
    const wish = { accountId, kind: 'renew', name, years: 1, promoCode: '' } as const
    const quote = await workOutQuote(database.db, parts, wish)
    return async (tx, actor) => {
      await endFormer(tx, actor, accountId, name)
      const { id: quoteId } = await insertQuote(tx, quote, quoteMinutes)
      const order = await placeOrder(tx, parts, {
        caller: { accountId, keyId: null },
        actor,
        quoteId,
        contactId: undefined,
        authCode: undefined,
        nameservers: [],
        autoRenew: true,
        clientEmail: '',
        useCredit: true,
        expectedDueKobo: undefined,
      })
      const due = dueOf(order)
      if (due === 0) return { orderId: order.id, toPay: null }
      const { token } = await makePayLink(tx, parts, actor, order.id)
      const link = payLinkUrl(site, secrets.open(payLinkPurpose(order.id), token))
      return { orderId: order.id, toPay: { amount: nairaText(due), link, validForS: payLinkDays * 86_400 } }
    }
  }
}

/** Ends the order that an earlier notice has placed, if it is not paid. One that the owner placed is the owner's matter. */
async function endFormer(tx: Tx, actor: Actor, accountId: string, name: string): Promise<void> {
  await lockAccount(tx, accountId)
  const id = await openOrderNamed(tx, accountId, name)
  const former = id === undefined ? undefined : await lockOrder(tx, id)
  if (former?.status === 'pending_payment' && isByItself(former))
    await moveOrder(tx, actor, former, { kind: 'expired' })
}

/** What a key or a person orders is asked for by a request. */
function isByItself({ kind, keyId, requestId }: Order): boolean {
  return kind === 'renew' && keyId === null && requestId === null
}
