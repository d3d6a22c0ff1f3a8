export { type Publication, type PublicationOptions, startPublication } from './start-publication.ts'
export { replicatedZones } from './store.ts'
