export { mountChecklistRoutes } from './routes.ts'
