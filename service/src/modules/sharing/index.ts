export { mountSharingRoutes, type SharingRoutesContext } from './routes.ts'
