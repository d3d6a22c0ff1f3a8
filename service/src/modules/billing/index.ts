export { grantCredit } from './credit.ts'
export { type Kobo, kobo } from './kobo.ts'
export { createPromo, endPromo, promoCodeOf } from './promo.ts'
export { type BillingRoutesContext, mountBillingRoutes } from './routes.ts'
