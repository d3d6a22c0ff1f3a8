export { asciiDomain, type OfferedName, parseOfferedName } from './domain-name.ts'
export { priceOf } from './prices.ts'
export { listPriceOf, mountTldRoutes, type TldRoutesContext } from './routes.ts'
