export { delegationFigures } from './check-figures.ts'
export { Checker } from './checker.ts'
export { mountDelegationRoutes } from './routes.ts'
export { type DelegationRow, delegationStates, hurryCheck, readDelegation } from './store.ts'
