/** The outcome of a payment with a card. */
export interface Card {
  readonly number: string
  readonly title: string
  readonly pays: 'success' | 'failed' | 'abandoned'
  /** The outcome of a refund of it. */
  readonly refund: 'processed' | 'failed' | 'needs-attention'
  /** How its webhook is sent. `never`: neither for the payment nor for a refund. `late`: the payer's bank responds only on request (`POST /late`). */
  readonly webhook: 'once' | 'twice' | 'late' | 'reordered' | 'never'
  /** The outcome of a charge with its saved authorization. Default: that of the payment. `challenged`: its owner has to confirm. */
  readonly again?: 'failed' | 'challenged'
  /** False: a shop cannot save it. */
  readonly isReusable?: false
  /** The month at whose end it expires. Default: in four years. */
  readonly expiresSoon?: true
}

/** The cards that the checkout page takes. */
export const cards: readonly Card[] = [
  { number: '4000000000000001', title: 'Success', pays: 'success', refund: 'processed', webhook: 'once' },
  { number: '4000000000000002', title: 'Declined', pays: 'failed', refund: 'processed', webhook: 'never' },
  { number: '4000000000000003', title: 'Abandoned', pays: 'abandoned', refund: 'processed', webhook: 'never' },
  { number: '4000000000000004', title: 'Success; a refund fails', pays: 'success', refund: 'failed', webhook: 'once' },
  {
    number: '4000000000000005',
    title: 'Success; a refund needs attention',
    pays: 'success',
    refund: 'needs-attention',
    webhook: 'once',
  },
  {
    number: '4000000000000006',
    title: 'Success; its webhook comes twice',
    pays: 'success',
    refund: 'processed',
    webhook: 'twice',
  },
  { number: '4000000000000007', title: 'Success, late', pays: 'success', refund: 'processed', webhook: 'late' },
  {
    number: '4000000000000008',
    title: 'Success; reported after its refund',
    pays: 'success',
    refund: 'processed',
    webhook: 'reordered',
  },
  {
    number: '4000000000000009',
    title: 'Success; neither it nor its refund is reported',
    pays: 'success',
    refund: 'processed',
    webhook: 'never',
  },
  {
    number: '4000000000000010',
    title: 'Success; a charge of the saved card is declined',
    pays: 'success',
    refund: 'processed',
    webhook: 'once',
    again: 'failed',
  },
  {
    number: '4000000000000011',
    title: 'Success; a charge of the saved card has to be confirmed',
    pays: 'success',
    refund: 'processed',
    webhook: 'once',
    again: 'challenged',
  },
  {
    number: '4000000000000012',
    title: 'Success; the card cannot be saved',
    pays: 'success',
    refund: 'processed',
    webhook: 'once',
    isReusable: false,
  },
  {
    number: '4000000000000013',
    title: 'Success; the card expires this month',
    pays: 'success',
    refund: 'processed',
    webhook: 'once',
    expiresSoon: true,
  },
]

export function cardOf(number: string): Card | undefined {
  return cards.find((card) => card.number === number.replaceAll(' ', ''))
}
