export { mountAuditRoutes } from './routes.ts'
export { type AuditEntry, auditStatement, recordAudit } from './store.ts'
