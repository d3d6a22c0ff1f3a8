export { type OfferedName, parseOfferedName } from './domain-name.ts'
export { listPrices, premiumPrices, priceOf, type YearPrices } from './prices.ts'
export { listPriceOf, mountTldRoutes, type TldRoutesContext } from './routes.ts'
