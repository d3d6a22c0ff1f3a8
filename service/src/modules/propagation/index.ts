export { mountPropagationRoutes } from './routes.ts'
export { readSeen } from './store.ts'
