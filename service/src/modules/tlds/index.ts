export { asciiDomain, type OfferedName, parseOfferedName } from './domain-name.ts'
export { priceOf } from './prices.ts'
export { registryShares } from './registry-shares.ts'
export { listPriceOf, mountTldRoutes, type TldRoutesContext } from './routes.ts'
