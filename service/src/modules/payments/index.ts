export { sendCharge } from './charge.ts'
export { beginCharge, beginCheckout, openCheckout } from './checkout.ts'
export { paymentFigures } from './figures.ts'
export { deletePayLink, type PayLink, payLinkOf, readPayLink, upsertPayLink } from './pay-link-store.ts'
export { askForRefund, noteRefund, paidBy } from './refund.ts'
export { type ChargeStanding, declineOf } from './rules.ts'
export {
  hurryPayment,
  hurryPaymentsOf,
  isUnclaimed,
  lockPayment,
  mayBeHurried,
  type PaymentOfOrder,
  paymentsOf,
  updatePayment,
  wantRefund,
} from './store.ts'
export { type Arrival, arrivalOf, noteCharge, type PaymentWork, verifyPayment } from './verify.ts'
export { paymentWorker } from './worker.ts'
