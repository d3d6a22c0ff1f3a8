import { checklistRoutes } from '@zonewright/contract'
import { noSuchZone } from '#http/authorise.ts'
import type { HttpServer } from '#http/server.ts'
import { type ChecklistContext, readChecklist } from './read-checklist.ts'

export function mountChecklistRoutes(server: HttpServer, context: ChecklistContext): void {
  server.mount(checklistRoutes.getChecklist, async ({ zone }) => {
    const items = await readChecklist(server.database.db, context, zone)
    if (items === undefined) throw noSuchZone()
    return { status: 200, body: { items } }
  })
}
