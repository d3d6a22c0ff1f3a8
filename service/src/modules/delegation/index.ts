export { Checker, type CheckerOptions } from './checker.ts'
export { type DelegationRoutesContext, mountDelegationRoutes } from './routes.ts'
export { delegationStates } from './store.ts'
