export { listPriceOf, mountTldRoutes, type TldRoutesContext } from './routes.ts'
