export { catalogSoaRecord } from './catalog-source.ts'
export { type CatalogState, readCatalogSerial } from './catalog-store.ts'
export { type Endpoint, endpointToText, parseEndpoint } from './endpoint.ts'
export { createPrimaryFigures } from './figures.ts'
export { primaryJobs } from './jobs.ts'
export {
  configuredNames,
  lockNameservers,
  type NameserverEntry,
  ourNames,
  publishedNames,
  readConfiguredNames,
  readRetired,
  writeNameservers,
} from './nameserver-store.ts'
export { type DnsServer, type DnsServerOptions, openDnsServer, openPrimaryServer } from './primary-server.ts'
export { type CatalogEntry, widenSerial } from './rules.ts'
export { sendDifferences, sendWhole } from './send-transfer.ts'
export { ednsFor, largestUdpBytes, RequesterGone, type SignedQuery, type Transport } from './signed-query.ts'
export { createTransferSource } from './transfer-source.ts'
export { TransferTurns } from './transfer-turns.ts'
export { hmac, tsigBytes, unixSeconds } from './tsig.ts'
export { ZoneSource } from './zone-source.ts'
export { apexStep, type ZoneStep, zoneSoa } from './zone-steps.ts'
