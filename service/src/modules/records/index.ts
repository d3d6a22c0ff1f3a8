export { mayReveal } from './acme.ts'
export { changeRrsets } from './change-rrsets.ts'
export { readChangeWarnings } from './change-warnings.ts'
export { delegateTo } from './delegate.ts'
export { recordJobs } from './jobs.ts'
export { RrsetPreload, ZonePreload } from './preload.ts'
export { previewChange } from './preview-change.ts'
export { publishedRrsets, toWireRrset } from './read-rrsets.ts'
export { freeBytes, markOf } from './record-writer.ts'
export { type IsServed, waitForNameservers } from './replication.ts'
export { mountRecordRoutes, type RecordRoutesContext } from './routes.ts'
export type { RrsetMove, StoredRrset } from './rrset.ts'
export { type NewFault, parseChange, parseTarget, type RrsetChange } from './rrset-change.ts'
export { namesAboveOwner, planChange } from './rules.ts'
export {
  lockZonesAndRead,
  type RrsetPreloadRow,
  readWholeZone,
  rrsetPreloadColumn,
  type ZonePreloadRow,
  zonePreloadColumn,
} from './store.ts'
export { type Warning, warningsOf } from './warnings.ts'
export { bulkBody, headersOf } from './write-answers.ts'
export type { ChangeRequest, ChangeResult } from './zone-draft.ts'
