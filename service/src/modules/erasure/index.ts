export { closeAccount } from './close-account.ts'
export { erasureJobs } from './jobs.ts'
