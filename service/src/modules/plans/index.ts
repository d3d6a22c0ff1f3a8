export { mountPlanRoutes } from './routes.ts'
