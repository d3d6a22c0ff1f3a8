export { addArriving, addRegistered, arrive, dropArriving, type GiveZone, noteRenewal } from './bring-domain.ts'
export { type Domain, domainNamed } from './store.ts'
