export { closeAccount } from './close-account.ts'
export { eraseHeldAccounts } from './erase-accounts.ts'
export { erasureJobs } from './jobs.ts'
