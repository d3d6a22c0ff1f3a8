export { showPayments } from './figures.ts'
export { deletePayLink, type PayLink, payLinkOf, readPayLink, upsertPayLink } from './pay-link-store.ts'
export { judgePayment, nextLookS, planRefund, type RefundPlan, refundRetryS } from './rules.ts'
export {
  claimPayments,
  hurryLastLooks,
  hurryPayment,
  insertPayment,
  isAnyPaymentDue,
  lockPayment,
  mayBeHurried,
  noteCheckoutUrl,
  openPayment,
  type PaymentOfOrder,
  paymentsOf,
  updatePayment,
  wantRefund,
} from './store.ts'
