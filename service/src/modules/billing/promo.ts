import { recordAudit } from '#modules/audit/index.ts'
import type { Actor } from '#platform/caller.ts'
import { Refusal } from '#platform/errors.ts'
import type { Db, Tx } from '#platform/postgres/index.ts'
import { type Kobo, noKobo } from './kobo.ts'
import { discountOf, judgePromo, type PromoCode, type PromoObstacle, type PromoWish } from './rules.ts'
import { disablePromo, endPromoUse, insertPromo, lockPromo, promoStanding, readPromo, upsertPromoUse } from './store.ts'

/** A code as people enter it, in any letter case. */
export function promoCodeOf(text: string): string {
  return text.trim().toUpperCase()
}

/** What a code would currently do to a price: an obstacle, or the discount. Nothing is reserved. */
export async function tryPromo(
  db: Db,
  text: string,
  wish: PromoWish,
  price: Kobo,
): Promise<{ promo: PromoCode | undefined; obstacle: PromoObstacle | undefined; promoKobo: Kobo }> {
  const code = promoCodeOf(text)
  const promo = await readPromo(db, code)
  const obstacle = judgePromo(promo, wish, await promoStanding(db, code, wish.accountId))
  return { promo, obstacle, promoKobo: promo === undefined || obstacle ? noKobo : discountOf(promo, price) }
}

/**
 * Reserves a code for an open order. The account must be locked. This locks the code before it counts its uses.
 *
 * Throws `promo_invalid` or `promo_in_use`.
 */
export async function reservePromo(tx: Tx, text: string, wish: PromoWish & { orderId: string }): Promise<void> {
  const code = promoCodeOf(text)
  await lockPromo(tx, code)
  const obstacle = judgePromo(await readPromo(tx, code), wish, await promoStanding(tx, code, wish.accountId))
  if (obstacle !== undefined) throw new Refusal(obstacle.code, obstacle.message)
  await upsertPromoUse(tx, { orderId: wish.orderId, code, accountId: wish.accountId })
}

/** Locks an order's code, and returns what prevents the order from reserving it again. The account must be locked. */
export async function promoObstacle(
  tx: Tx,
  order: { readonly promoCode: string } & PromoWish,
): Promise<PromoObstacle | undefined> {
  await lockPromo(tx, order.promoCode)
  const standing = await promoStanding(tx, order.promoCode, order.accountId)
  return judgePromo(await readPromo(tx, order.promoCode), order, standing)
}

/** Ends an order's reservation: the use is consumed, or others may use the code again. Does nothing if the reservation has ended. */
export async function settlePromo(tx: Tx, orderId: string, how: 'consumed' | 'freed'): Promise<void> {
  await endPromoUse(tx, orderId, how)
}

export type NewPromo = Omit<PromoCode, 'window'> & { startsAt: string | null; endsAt: string | null }

/** Creates a code on behalf of an operator. */
export async function createPromo(tx: Tx, actor: Actor, promo: NewPromo): Promise<void> {
  if (!/^[A-Z0-9][A-Z0-9-]{2,39}$/.test(promo.code))
    throw new Refusal('validation_failed', 'A promo code consists of 3 to 40 letters, digits and hyphens.')
  if ((promo.percent === null) === (promo.fixedKobo === null))
    throw new Refusal('validation_failed', 'A promo code is either a percentage or a fixed amount. Give one of them.')
  if (!(await insertPromo(tx, promo))) throw new Refusal('conflict', `The promo code ${promo.code} already exists.`)
  await note(tx, actor, 'promo.created', promo.code, promo.accountId)
}

/** Ends a code on behalf of an operator. Orders that have reserved it keep it. */
export async function endPromo(tx: Tx, actor: Actor, text: string): Promise<void> {
  const code = promoCodeOf(text)
  const promo = await readPromo(tx, code)
  if (!(await disablePromo(tx, code))) throw new Refusal('not_found', `No active promo code is named ${code}.`)
  await note(tx, actor, 'promo.ended', code, promo?.accountId ?? null)
}

/** Actions of the service itself are in the audit log without an account. */
const nobody = '00000000-0000-0000-0000-000000000000'

async function note(tx: Tx, actor: Actor, action: string, code: string, accountId: string | null): Promise<void> {
  await recordAudit(tx, {
    accountId: accountId ?? nobody,
    actor,
    action,
    summary: `Promo code ${code} was ${action === 'promo.created' ? 'created' : 'ended'}`,
    reference: { promo_code: code },
  })
}
