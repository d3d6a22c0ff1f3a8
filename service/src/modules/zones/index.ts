export { apexRrsets, apexTtl, soaOf } from './apex.ts'
export { addLiveZone, createZone, type ZoneOwner } from './create-zone.ts'
export { deleteZone } from './delete-zone.ts'
export { mountZoneRoutes, type ZoneRoutesContext } from './routes.ts'
export {
  advanceStatement,
  liveZoneNamed,
  readZone,
  takeMoves,
  visibleZone,
  type ZoneMove,
  type ZoneRow,
  zoneColumns,
} from './store.ts'
export { absolute, parseZoneRef, relativeToRoot, type ZoneRef } from './zone-name.ts'
