export type { PropagationContext } from './read-propagation.ts'
export { mountPropagationRoutes } from './routes.ts'
export { readSeen, type SeenNameserver } from './store.ts'
