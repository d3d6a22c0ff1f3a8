export { Checker, type CheckerOptions } from './checker.ts'
export { type DelegationRoutesContext, mountDelegationRoutes } from './routes.ts'
export { type DelegationRow, delegationStates, readDelegation } from './store.ts'
