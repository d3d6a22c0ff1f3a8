export { type Account, createAccount } from './create-account.ts'
export { accountByEmail, lockAccount } from './store.ts'
