export { delegationFigures } from './check-figures.ts'
export { Checker, type CheckerOptions } from './checker.ts'
export { type DelegationRoutesContext, mountDelegationRoutes } from './routes.ts'
export { type DelegationRow, delegationStates, hurryCheck, readDelegation } from './store.ts'
