export { mountAuditRoutes } from './routes.ts'
export { actorColumns, actorToWire, joinActor, type ShownActor } from './shown-actor.ts'
export { auditStatement, recordAudit } from './store.ts'
