export { mountDynamicDns } from './routes.ts'
