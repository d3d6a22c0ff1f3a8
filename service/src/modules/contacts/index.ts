export { mountContactRoutes } from './routes.ts'
