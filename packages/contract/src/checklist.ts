import { z } from 'zod'
import { route } from './route.ts'

/** What a zone is looked through for, in the order in which it is shown (design: zones, "Health"). */
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
      description: 'done: nothing to do; todo: not set up yet; warning: set up, and something is odd about it.',
    }),
    detail: z.string().meta({ description: 'What was found.' }),
    fix: z.string().nullable().meta({ description: 'What to do; null: nothing.' }),
  })
  .meta({ id: 'ChecklistItem' })

export type ChecklistItem = z.infer<typeof checklistItemSchema>

export const checklistRoutes = {
  getChecklist: route({
    id: 'getChecklist',
    method: 'GET',
    path: '/zones/{zone}/checklist',
    who: ['records:read'],
    summary: 'See what is left to set up, and what is odd',
    description:
      'From what is known of the zone at this moment. `expiry` is there when the registry tells; the targets of aliases that lie elsewhere are asked for, within some seconds.',
    params: z.object({ zone: z.string().meta({ description: 'Id or name of the zone.' }) }),
    outside: 'dns',
    answers: { 200: z.object({ items: z.array(checklistItemSchema) }) },
  }),
}
