export { mountPowerdnsDoor } from './routes.ts'
