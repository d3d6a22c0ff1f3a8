export { aliasTargets, aliasWarningsOf, readAliasWarnings, resolvedOf } from './alias-records.ts'
export { isSmall } from './change-group.ts'
export { changeRecords } from './change-records.ts'
export { readChangeWarnings } from './change-warnings.ts'
export { commitLocked, type Outcome } from './commit-change.ts'
export { delegateTo } from './delegate.ts'
export { readImport } from './import-zone.ts'
export { recordJobs } from './jobs.ts'
export { zonePreloadAt } from './preload.ts'
export { type Preview, type Previewed, previewAlone, previewChange, previewTogether } from './preview-change.ts'
export { leftToWire, readChanges, readFile, readRrsets, type SentRrset } from './read-import.ts'
export { exportZone, managedRrsets, publishedRrsets, toWireRrset } from './read-rrsets.ts'
export { RecordAccess } from './record-access.ts'
export {
  bytesOfMoves,
  freeBytes,
  markOf,
  type ParsedChanges,
  RecordWriter,
  requestBy,
  requestOf,
  type WriteWish,
} from './record-writer.ts'
export { type IsServed, isTrueWithin, waitForNameservers } from './replication.ts'
export { mountRecordRoutes } from './routes.ts'
export type { RrsetMove, StoredRrset } from './rrset.ts'
export { type NewFault, parseChange, parseTarget, pathBelow, type RrsetChange, readableTarget } from './rrset-change.ts'
export { planChange } from './rules.ts'
export { findRrsets, lockZonesAndRead, managedNames, readAtNames, readWholeZone } from './store.ts'
export { type Warning, warningsOf } from './warnings.ts'
export { bulkBody, faultsOnLines, headersOf } from './write-answers.ts'
export type { ChangeRequest, ChangeResult } from './zone-draft.ts'
