import { z } from 'zod'
import { route } from './route.ts'
import { changedZoneSchema } from './zones.ts'

const name = z
  .string()
  .min(1)
  .max(1_024)
  .meta({ description: 'The full name of the free subdomain.', example: 'alice.free.example' })

const availabilitySchema = z
  .object({
    name: z.string(),
    available: z.boolean(),
    reason: z.enum(['invalid', 'reserved', 'taken', 'not_offered', 'limit']).nullable().meta({
      description:
        'The reason why the name is not available. `invalid`: the name is not valid. `reserved`: no one can claim the name. `taken`: someone already has the name. `not_offered`: the name is not below one of the `parents`, or names below this parent cannot be claimed now. `limit`: the account has reached its limit of zones or free subdomains. The field is null if the name is available.',
    }),
    message: z.string().nullable().meta({ description: 'The reason as human-readable text.' }),
    parents: z.array(z.string()).meta({ description: 'The domains below which you can claim names.' }),
  })
  .meta({ id: 'Availability' })

export type WireAvailability = z.infer<typeof availabilitySchema>

export const subdomainRoutes = {
  freeSubdomainAvailability: route({
    id: 'freeSubdomainAvailability',
    method: 'GET',
    path: '/free-subdomains/availability',
    who: ['zones:manage'],
    summary: 'Check whether a free subdomain is available',
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
      'The call creates a zone that is live immediately. An account can have at most 3 free subdomains. If you delete the zone, its name stays reserved for your account for 30 days.',
    body: z.strictObject({ name }),
    headers: ['ETag', 'Location'],
    answers: { 201: changedZoneSchema },
    errors: ['conflict', 'subdomain_limit', 'zone_exists', 'zone_limit'],
  }),
}
