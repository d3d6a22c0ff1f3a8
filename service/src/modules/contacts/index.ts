export { domainContacts, registryContact } from './registry-contact.ts'
export { mountContactRoutes } from './routes.ts'
export { type ContactDetails, refuseUnfitContact } from './rules.ts'
export { type Contact, forgetContacts, readContact } from './store.ts'
