export { mountAcmeDoors } from './routes.ts'
