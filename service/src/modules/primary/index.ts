export { catalogSoaRecord } from './catalog-source.ts'
export { type CatalogState, readCatalogSerial } from './catalog-store.ts'
export { type Endpoint, endpointToText, parseEndpoint } from './endpoint.ts'
export { createPrimaryFigures } from './figures.ts'
export { primaryJobs } from './jobs.ts'
export {
  configuredNames,
  lockNameservers,
  type NameserverEntry,
  readConfiguredNames,
  readRetired,
  writeNameservers,
} from './nameserver-store.ts'
export { openPrimaryServer } from './primary-server.ts'
export { type CatalogEntry, widenSerial } from './rules.ts'
export { createTransferSource } from './transfer-source.ts'
export { TransferTurns } from './transfer-turns.ts'
export { hmac, unixSeconds } from './tsig.ts'
export { apexStep, type ZoneStep, zoneSoa } from './zone-steps.ts'
