import { z } from 'zod'
import { zoneParams } from './records.ts'
import { route } from './route.ts'

/** Why a queried server gave no usable answer. */
const probeFailure = z.enum(['timeout', 'refused', 'broken'])

export const propagationSchema = z
  .object({
    serial: z.int().meta({ description: 'The serial that is checked: `?serial=`, or the current serial.' }),
    replicated: z.boolean().meta({ description: 'Whether every nameserver serves this serial.' }),
    nameservers: z.array(
      z.object({
        name: z.string(),
        address: z.string(),
        serial: z.int().nullable().meta({ description: 'Null if the nameserver does not serve the zone.' }),
        in_sync: z.boolean(),
        latency_ms: z.number().nullable().meta({ description: 'The time that the response took, in milliseconds.' }),
        checked_at: z.string().nullable().meta({
          format: 'date-time',
          description: 'When this serial was observed: now, or when the nameserver last responded.',
        }),
        error: probeFailure.nullable(),
      }),
    ),
    resolvers: z
      .array(
        z.object({
          name: z.string(),
          address: z.string(),
          answer: z
            .array(z.string())
            .nullable()
            .meta({ description: 'The records of the type, after following aliases. Null if there was no response.' }),
          ttl: z
            .int()
            .nullable()
            .meta({ description: 'Seconds until the resolver queries again. Null if there are no records.' }),
          in_sync: z.boolean().meta({
            description:
              'Whether the records match those of our nameservers. For an alias that leads out of the zone, only the alias is compared. For a delegated name, any response matches.',
          }),
        }),
      )
      .meta({ description: 'Public resolvers, which are queried now if you send `name` and `type`. Otherwise empty.' }),
  })
  .meta({ id: 'Propagation' })

export type WirePropagation = z.infer<typeof propagationSchema>

export const propagationRoutes = {
  getPropagation: route({
    id: 'getPropagation',
    method: 'GET',
    path: '/zones/{zone}/propagation',
    who: ['records:read'],
    summary: 'Read the propagation of a change',
    params: zoneParams,
    query: z
      .strictObject({
        name: z.string().max(1_024).optional().meta({ description: '`@`, a relative name, or a name in the zone.' }),
        type: z.string().max(20).optional(),
        serial: z.coerce.number().int().min(0).max(4_294_967_295).optional(),
      })
      .refine(({ name, type }) => (name === undefined) === (type === undefined), {
        path: ['type'],
        message: 'Send name and type together.',
      }),
    outside: 'dns',
    answers: { 200: propagationSchema },
  }),
}
