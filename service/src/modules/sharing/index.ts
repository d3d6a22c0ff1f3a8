export { managerToWire, mountSharingRoutes, type SharingRoutesContext } from './routes.ts'
export { type Guest, invitationDays, mayInvite, placeOf } from './rules.ts'
export { leaveEveryZone, type ManagerRow } from './store.ts'
