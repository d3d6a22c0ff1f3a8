import type { Payments } from '#ports/payments.ts'
import { type ChargeStanding, judgeCharge } from './rules.ts'
import type { PaymentOfOrder } from './store.ts'
import type { PaymentWork } from './verify.ts'

/**
 * Sends a charge of a saved card, if `card` has its code, and queries the gateway for its state. Without a code, it only queries: the charge may
 * have been sent before. It stores nothing.
 */
export async function sendCharge(
  { payments, log }: Pick<PaymentWork, 'payments' | 'log'>,
  payment: PaymentOfOrder,
  card: { readonly authorization: string; readonly email: string } | undefined,
): Promise<ChargeStanding> {
  const { id, reference, amountKobo } = payment
  const sent: Awaited<ReturnType<Payments['charge']>> | undefined =
    card && (await payments.charge({ reference, amountKobo, ...card }))
  if (sent?.kind === 'unavailable' || sent?.kind === 'refused')
    log.warn(
      { payment: id, why: sent.why },
      `the card gateway ${sent.kind === 'refused' ? 'refused' : 'did not answer'} a charge`,
    )
  const verified = await payments.verify(reference)
  if (verified.kind === 'unavailable')
    log.warn({ payment: id, why: verified.why }, 'the card gateway did not respond about a charge')
  return judgeCharge(verified, sent, card === undefined ? (payment.chargedForS ?? 0) : 0)
}
