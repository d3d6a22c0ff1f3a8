import type { AlsoDelete } from '#modules/accounts/index.ts'
import { revokeAllKeys } from '#modules/api-keys/index.ts'
import { availableCredit, nairaText } from '#modules/billing/index.ts'
import { removeCards } from '#modules/cards/index.ts'
import { domainsOf, type OwnDomain } from '#modules/domains/index.ts'
import { closeOrders, isUnderWay, type UnfinishedOrder } from '#modules/orders/index.ts'
import { type FaultDetail, Refusal } from '#platform/errors.ts'

/**
 * What is deleted together with an account: its keys, its unpaid orders and its saved cards.
 *
 * Throws `conflict` while a payment, a refund or a domain is in progress, which no one could answer for afterwards; and for domains and credit that
 * would be lost, unless the owner has confirmed this. The account must be locked.
 */
export const closeAccount: AlsoDelete = async (tx, actor, accountId, letGo) => {
  await revokeAllKeys(tx, actor, accountId)
  const underWay = await closeOrders(tx, actor, accountId)
  if (underWay.length > 0) throw stillUnderWay(underWay)
  await removeCards(tx, actor, accountId)
  if (letGo) return
  const domains = await domainsOf(tx, accountId)
  const creditKobo = await availableCredit(tx, accountId)
  if (domains.length > 0 || creditKobo > 0) throw wouldBeLost(domains, creditKobo)
}

const named = { register: 'registration', renew: 'renewal', transfer: 'transfer' } as const

function stillUnderWay(orders: readonly UnfinishedOrder[]): Refusal {
  const message =
    'Orders are in progress. Delete the account when they are finished. If one does not finish, contact support.'
  const details = orders.flatMap((order): FaultDetail[] => {
    const { id, kind, name, isMoneyGoingBack } = order
    return [
      ...(isUnderWay(order) ? [`The ${named[kind]} of ${name} is in progress`] : []),
      ...(isMoneyGoingBack ? [`The payment for ${name} is being refunded`] : []),
    ].map((what) => ({ path: '', code: 'order_under_way', message: `${what} (${id}).` }))
  })
  return new Refusal('conflict', message, { details })
}

function wouldBeLost(domains: readonly OwnDomain[], creditKobo: number): Refusal {
  const held = domains.map(({ name, expiresAt }): FaultDetail => {
    const until = expiresAt === null ? '' : ` until ${expiresAt.toISOString().slice(0, 10)}`
    const message = `${name} stays registered${until} but is not renewed. Its zone is deleted in seven days. To keep the domain, transfer it to another registrar first.`
    return { path: '/let_go', code: 'domain_held', message }
  })
  const credit = nairaText(creditKobo)
  const left: FaultDetail[] =
    creditKobo === 0
      ? []
      : [
          {
            path: '/let_go',
            code: 'credit_left',
            message: `The account loses ${credit} of credit. Spend it first, or contact support.`,
          },
        ]
  const message = `The account still has ${listed([
    ...(domains.length === 0 ? [] : [domains.length === 1 ? 'a domain' : `${domains.length} domains`]),
    ...(creditKobo === 0 ? [] : [`${credit} of credit`]),
  ])}. To delete the account anyway, confirm that you give them up (\`let_go\`).`
  return new Refusal('conflict', message, { details: [...held, ...left] })
}

function listed(parts: readonly string[]): string {
  return parts.join(' and ')
}
