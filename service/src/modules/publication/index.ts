export { publicationJobs } from './jobs.ts'
export { restoreSerials } from './restore-serials.ts'
export { type Publication, type PublicationOptions, startPublication } from './start-publication.ts'
export { isServed, replicatedZones } from './store.ts'
