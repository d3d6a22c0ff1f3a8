export { toWireRrset } from './read-rrsets.ts'
export { mountRecordRoutes, type RecordRoutesContext } from './routes.ts'
export type { StoredRrset } from './rules.ts'
