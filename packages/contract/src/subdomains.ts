import { z } from 'zod'
import { route } from './route.ts'
import { changedZoneSchema } from './zones.ts'

const name = z.string().min(1).max(1_024).meta({ example: 'alice.free.example' })

const availabilitySchema = z
  .object({
    name: z.string(),
    available: z.boolean(),
    reason: z.enum(['invalid', 'reserved', 'taken', 'not_offered']).nullable(),
    message: z.string().nullable(),
    parents: z.array(z.string()).meta({ description: 'The domains under which names can be claimed.' }),
  })
  .meta({ id: 'Availability' })

export type WireAvailability = z.infer<typeof availabilitySchema>

export const subdomainRoutes = {
  freeSubdomainAvailability: route({
    id: 'freeSubdomainAvailability',
    method: 'GET',
    path: '/free-subdomains/availability',
    who: ['zones:manage'],
    summary: 'Say whether a free subdomain can be claimed',
    query: z.strictObject({ name }),
    answers: { 200: availabilitySchema },
  }),
  claimSubdomain: route({
    id: 'claimSubdomain',
    method: 'POST',
    path: '/free-subdomains',
    who: ['zones:manage'],
    summary: 'Claim a free subdomain',
    description:
      'A zone of its own, live at once. At most 3 an account; the name is held for the account for 30 days after its deletion.',
    body: z.strictObject({ name }),
    headers: ['ETag', 'Location'],
    answers: { 201: changedZoneSchema },
    errors: ['conflict', 'subdomain_limit', 'zone_exists', 'zone_limit'],
  }),
}
