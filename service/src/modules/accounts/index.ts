export type { AccountMails } from './account-mails.ts'
export { type Auth, createAuth } from './auth.ts'
export { mountAuthRoutes } from './auth-routes.ts'
export { AuthSecrets } from './auth-secrets.ts'
export type { Passwords } from './better-auth.ts'
export { AccountBudgets, limitChanges } from './change-budget.ts'
export { codeGiver, type UseCode } from './codes.ts'
export { createAccount } from './create-account.ts'
export type { AlsoDelete } from './delete-account.ts'
export { holdDays, restoreAccount } from './delete-account.ts'
export { accountJobs } from './jobs.ts'
export { limitUpdates } from './limit-updates.ts'
export { limitZones } from './limit-zones.ts'
export { queuedMails } from './queued-mails.ts'
export { mountAccountRoutes } from './routes.ts'
export { sessionAuthentication } from './session-authentication.ts'
export {
  accountByEmail,
  accountsToErase,
  erase as eraseAccount,
  lockAccount,
  lockAndReadAccount,
  lockToErase,
  readAccount,
} from './store.ts'
export { type MailContext, tellAccount } from './tell-account.ts'
export { fromBase32 } from './totp.ts'
export { takeTry } from './tries.ts'
