export { mountAuditRoutes } from './routes.ts'
export { actorColumns, actorToWire, joinActor, type ShownActor } from './shown-actor.ts'
export { type AuditEntry, auditStatement, recordAudit } from './store.ts'
