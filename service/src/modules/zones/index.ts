export { apexRrsets, apexTtl, soaOf } from './apex.ts'
export { giveBoughtZone } from './bought-zone.ts'
export { type AddingParts, addClaimedZone, addLiveZone, createZone, mayAddClaimed } from './create-zone.ts'
export { type Delegate, delegateAll, type ParentCut } from './delegate.ts'
export { deleteZone } from './delete-zone.ts'
export { zoneJobs } from './erase-zones.ts'
export { limitRrsets } from './limit-rrsets.ts'
export type { TakingParts } from './lose-zones.ts'
export { areSameNotes, notesAfter } from './notes.ts'
export { isHostTld, registeredDomain } from './public-suffix.ts'
export { listZones, visibleIds } from './read-zones.ts'
export { mountZoneRoutes, type ZoneRoutesContext } from './routes.ts'
export { maxFreeSubdomains, usualZonesPerAccount } from './rules.ts'
export { advanceSerialClock, clockStep, nextSerial, serialClock, uncheckedSerialClock } from './serial-clock.ts'
export { catalogName, isServiceName, serviceNameMessage, serviceNamesOf } from './service-names.ts'
export { cursorOf, instantKey, type SortedPlace, type SortedWish, sortedPage } from './sorted-page.ts'
export { startZoneVerification } from './start-verification.ts'
export {
  advanceStatement,
  hasAnyZoneMoved,
  isSeenBy,
  liveZoneNamed,
  lockZone,
  lockZones,
  nilId,
  readOwnZone,
  readZone,
  secondaryNamesOf,
  takeMoves,
  unlimitRrsets,
  visibleZone,
  type ZoneAdvance,
  type ZoneMove,
  type ZoneRow,
  zoneColumns,
  zonesOwnedBy,
} from './store.ts'
export { lockNames } from './taking-store.ts'
export { type Challenge, challengeOf } from './verification-rules.ts'
export { verificationOf } from './verification-store.ts'
export { type VerificationParts, verifyZone } from './verify-zone.ts'
export {
  absolute,
  namesAbove,
  parseZoneName,
  parseZoneRef,
  relativeToRoot,
  unicodeName,
  type ZoneName,
  type ZoneRef,
  zoneNameIn,
  zoneRefAbove,
} from './zone-name.ts'
export { type ZoneViewParts, zoneViews } from './zone-views.ts'
