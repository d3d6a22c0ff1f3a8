export { mountUpdateRoutes } from './routes.ts'
export type { UpdateTimes } from './update-streams.ts'
