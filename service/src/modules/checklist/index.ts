export type { ChecklistContext } from './read-checklist.ts'
export { mountChecklistRoutes } from './routes.ts'
