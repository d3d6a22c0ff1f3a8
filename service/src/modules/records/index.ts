export { type ChangeRequest, type ChangeResult, changeRrsets } from './change-rrsets.ts'
export { publishedRrsets, toWireRrset } from './read-rrsets.ts'
export { mountRecordRoutes, type RecordRoutesContext } from './routes.ts'
export type { StoredRrset } from './rules.ts'
