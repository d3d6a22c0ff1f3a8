export { mountSearchRoutes } from './routes.ts'
export type { IndexLimits } from './search-index.ts'
