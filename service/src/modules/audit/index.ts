export { type AuditEntry, auditStatement, recordAudit } from './store.ts'
