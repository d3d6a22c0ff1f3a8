export { readConnectTemplates } from './connect-template.ts'
export { discoveryKeeper } from './discovery-keeper.ts'
export { mountDomainConnectRoutes } from './routes.ts'
