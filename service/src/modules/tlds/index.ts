export { asciiDomain, parseOfferedName } from './domain-name.ts'
export { priceOf } from './prices.ts'
export { registryShares } from './registry-shares.ts'
export { listPriceOf, mountTldRoutes } from './routes.ts'
