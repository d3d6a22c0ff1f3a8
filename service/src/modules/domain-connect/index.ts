export { readConnectTemplates } from './connect-template.ts'
export { type DomainConnectContext, mountDomainConnectRoutes } from './routes.ts'
