import { z } from 'zod'
import { zoneParams } from './records.ts'
import { route } from './route.ts'

/** What the checklist checks, in the order in which it is shown (design: zones, "Health"). */
export const checklistIds = [
  'verified',
  'delegated',
  'expiry',
  'replicated',
  'apex',
  'www',
  'mx',
  'spf',
  'dkim',
  'dmarc',
  'caa',
  'aliases',
  'records',
] as const

export type ChecklistId = (typeof checklistIds)[number]

export const checklistItemSchema = z
  .object({
    id: z.enum(checklistIds),
    title: z.string(),
    state: z.enum(['done', 'todo', 'warning']).meta({
      description:
        '`done`: you do not need to do anything. `todo`: this is not set up yet. `warning`: this is set up but needs attention.',
    }),
    detail: z.string().meta({ description: 'The result of the check.' }),
    fix: z
      .string()
      .nullable()
      .meta({ description: 'The action that fixes the problem. It is null if there is nothing to do.' }),
  })
  .meta({ id: 'ChecklistItem' })

export type ChecklistItem = z.infer<typeof checklistItemSchema>

export const checklistRoutes = {
  getChecklist: route({
    id: 'getChecklist',
    method: 'GET',
    path: '/zones/{zone}/checklist',
    who: ['records:read'],
    wholeZone: true,
    summary: 'Read the checklist of a zone',
    description:
      'The checklist shows which parts of the zone are set up and which need attention. It uses the current data of the zone. The item `expiry` is about the expiry of the domain. This item exists only if the registry provides the expiry date. The call also resolves aliases whose targets are outside the zone, which can take a few seconds.',
    params: zoneParams,
    outside: 'dns',
    answers: { 200: z.object({ items: z.array(checklistItemSchema) }) },
  }),
}
