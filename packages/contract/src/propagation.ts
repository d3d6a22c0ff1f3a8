import { z } from 'zod'
import { route } from './route.ts'

/** Why a server that was asked live gave no answer that counts. */
const probeFailure = z.enum(['timeout', 'refused', 'broken'])

export const propagationSchema = z
  .object({
    serial: z.int().meta({ description: 'What is looked for: `?serial=`, or the present one.' }),
    replicated: z.boolean().meta({ description: 'Every nameserver serves it.' }),
    nameservers: z.array(
      z.object({
        name: z.string(),
        address: z.string(),
        serial: z.int().nullable().meta({ description: 'Null: not seen to serve the zone.' }),
        in_sync: z.boolean(),
        latency_ms: z.number().nullable().meta({ description: 'Of the answer that it gave just now.' }),
        checked_at: z
          .string()
          .nullable()
          .meta({ format: 'date-time', description: 'When this serial was seen: just now, or when it last answered.' }),
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
            .meta({ description: 'Records of the type, aliases followed; null: no answer.' }),
          ttl: z.int().nullable().meta({ description: 'Seconds until the resolver asks again; null: no records.' }),
          in_sync: z.boolean().meta({
            description:
              'The same as our nameservers answer; of an alias that leads out of the zone, the alias. Of a name that the zone delegates, any answer.',
          }),
        }),
      )
      .meta({ description: 'Public resolvers, asked now when `name` and `type` are given; empty otherwise.' }),
  })
  .meta({ id: 'Propagation' })

export type WirePropagation = z.infer<typeof propagationSchema>

const zoneParams = z.object({ zone: z.string().meta({ description: 'Id or name of the zone.' }) })

export const propagationRoutes = {
  getPropagation: route({
    id: 'getPropagation',
    method: 'GET',
    path: '/zones/{zone}/propagation',
    who: ['records:read'],
    summary: 'See how far a change has come',
    params: zoneParams,
    query: z
      .strictObject({
        name: z.string().max(1_024).optional().meta({ description: '`@`, a relative name, or one in the zone.' }),
        type: z.string().max(20).optional(),
        serial: z.coerce.number().int().min(0).max(4_294_967_295).optional(),
      })
      .refine(({ name, type }) => (name === undefined) === (type === undefined), {
        path: ['type'],
        message: 'name and type go together',
      }),
    outside: 'dns',
    answers: { 200: propagationSchema },
  }),
}
