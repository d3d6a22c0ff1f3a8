export { invitationInWords, managerToWire, mountSharingRoutes, type SharingRoutesContext } from './routes.ts'
export { placeOf } from './rules.ts'
export { type InvitationMails, Sharing } from './sharing.ts'
export { type InvitationRow, leaveEveryZone } from './store.ts'
