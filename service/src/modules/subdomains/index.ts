export { mountSubdomainRoutes } from './routes.ts'
