import { lockAccount } from '#modules/accounts/index.ts'
import { recordAudit } from '#modules/audit/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { Db, Tx } from '#platform/postgres/index.ts'
import { type Kobo, kobo, nairaText } from './kobo.ts'
import { deleteHold, insertEntry, insertHold, readCredit } from './store.ts'

/** What an account can still spend. Lock the account first, because concurrent transactions also spend its credit. */
export async function availableCredit(db: Db, accountId: string): Promise<Kobo> {
  const { balanceKobo, reservedKobo } = await readCredit(db, accountId)
  return kobo(Math.max(0, balanceKobo - reservedKobo))
}

/** Reserves credit for an unpaid order. The account is locked and has enough credit. */
export async function holdCredit(
  tx: Tx,
  hold: { orderId: string; accountId: string; amountKobo: Kobo },
): Promise<void> {
  if (hold.amountKobo > 0) await insertHold(tx, hold)
}

/** Spends credit for an order that is paid when it is placed. The account is locked and has enough credit. */
export async function spendCredit(
  tx: Tx,
  spent: { orderId: string; accountId: string; amountKobo: Kobo },
): Promise<void> {
  await insertEntry(tx, { kind: 'credit_used', ...spent })
}

/** Spends the credit that was reserved for the order. */
export async function spendHold(tx: Tx, orderId: string): Promise<void> {
  const hold = await deleteHold(tx, orderId)
  if (hold !== undefined)
    await spendCredit(tx, { orderId, accountId: hold.accountId, amountKobo: kobo(hold.amountKobo) })
}

/** Releases the credit that was reserved for the order. */
export async function freeHold(tx: Tx, orderId: string): Promise<void> {
  await deleteHold(tx, orderId)
}

/** Grants an account credit, for an operator. */
export async function grantCredit(
  tx: Tx,
  actor: Actor,
  grant: { accountId: string; amountKobo: Kobo; note: string },
): Promise<{ balance_kobo: number }> {
  await lockAccount(tx, grant.accountId)
  await insertEntry(tx, { kind: 'credit_granted', ...grant })
  await recordAudit(tx, {
    accountId: grant.accountId,
    actor,
    action: 'credit.granted',
    summary: `${nairaText(grant.amountKobo)} of credit was granted${grant.note === '' ? '' : `: ${grant.note}`}`,
    reference: { amount_kobo: grant.amountKobo },
  })
  return { balance_kobo: (await readCredit(tx, grant.accountId)).balanceKobo }
}
