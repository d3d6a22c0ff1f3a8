export { mountContactRoutes } from './routes.ts'
export { type ContactDetails, faultsForTld } from './rules.ts'
export { type Contact, readContact } from './store.ts'
