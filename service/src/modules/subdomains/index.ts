export { mountSubdomainRoutes, type SubdomainRoutesContext } from './routes.ts'
