import { z } from 'zod'
import { zoneParams } from './records.ts'
import { route } from './route.ts'

/** Why a queried server gave no usable answer. */
const probeFailure = z.enum(['timeout', 'refused', 'broken'])

export const propagationSchema = z
  .object({
    serial: z.int().meta({
      description:
        'The serial that the call checks: the parameter `serial`, or the current serial of the zone by default.',
    }),
    replicated: z.boolean().meta({ description: 'True if every nameserver serves this serial.' }),
    nameservers: z.array(
      z.object({
        name: z.string(),
        address: z.string(),
        serial: z.int().nullable().meta({
          description:
            'The serial that the nameserver serves. If the nameserver does not respond, this is the serial that it last served. It is null if the nameserver does not serve the zone.',
        }),
        in_sync: z.boolean().meta({
          description:
            'True if the nameserver serves the serial that the call checks, or a newer serial. It is false if the nameserver serves a serial that the zone has not reached yet.',
        }),
        latency_ms: z.number().nullable().meta({ description: 'The response time in milliseconds.' }),
        checked_at: z.string().nullable().meta({
          format: 'date-time',
          description:
            'The time at which the service saw this serial. If the nameserver responds during this call, this is the current time. Otherwise, this is the time at which the service last saw the serial.',
        }),
        error: probeFailure.nullable().meta({
          description: 'The reason why the nameserver gave no usable answer. It is null if there was no error.',
        }),
      }),
    ),
    secondaries: z
      .array(
        z.object({
          address: z.string().meta({ description: 'The IP address of the secondary, with its port.' }),
          ns_name: z.string().nullable(),
          serial: z.int().nullable().meta({
            description:
              'The serial that the secondary serves. It is null if the secondary does not respond or does not serve the zone.',
          }),
          in_sync: z.boolean().meta({
            description: 'True if the secondary serves the serial that the call checks, or a newer serial.',
          }),
          latency_ms: z.number().nullable().meta({ description: 'The response time in milliseconds.' }),
          error: probeFailure.nullable().meta({
            description: 'The reason why the secondary gave no usable answer. It is null if there was no error.',
          }),
        }),
      )
      .meta({
        description:
          'The secondaries that the owner of the zone has added. Secondaries do not count toward `replicated`.',
      }),
    resolvers: z
      .array(
        z.object({
          name: z.string().meta({ description: 'The name of the resolver.' }),
          address: z.string().meta({ description: 'The IP address of the resolver.' }),
          answer: z.array(z.string()).nullable().meta({
            description:
              'The records of the requested type. The resolver has followed any aliases. The field is null if there was no response.',
          }),
          ttl: z.int().nullable().meta({
            description:
              'The number of seconds until the records expire in the cache of the resolver. The field is null if there are no records.',
          }),
          in_sync: z.boolean().meta({
            description:
              'True if the resolver returns the same records as our nameservers. If the name is an alias for a name outside the zone, the service compares only the alias. If the name is delegated, any response counts as the same.',
          }),
        }),
      )
      .meta({
        description:
          'Public resolvers. If you send `name` and `type`, the service queries these resolvers during the call. Otherwise, the list is empty.',
      }),
  })
  .meta({ id: 'Propagation' })

export type WirePropagation = z.infer<typeof propagationSchema>

export const propagationRoutes = {
  getPropagation: route({
    id: 'getPropagation',
    method: 'GET',
    path: '/zones/{zone}/propagation',
    who: ['records:read'],
    wholeZone: false,
    summary: 'Check the propagation of a change',
    description:
      'The response shows which nameservers serve the current serial. If you send `name` and `type`, the response also shows the answers of public resolvers.',
    params: zoneParams,
    query: z
      .strictObject({
        name: z
          .string()
          .max(1_024)
          .optional()
          .meta({ description: 'The name to query: `@`, a relative name, or a name in the zone.' }),
        type: z
          .string()
          .max(20)
          .optional()
          .meta({ description: 'The record type to query. Send `name` and `type` together.' }),
        serial: z.coerce
          .number()
          .int()
          .min(0)
          .max(4_294_967_295)
          .optional()
          .meta({ description: 'The serial to check. The default is the current serial of the zone.' }),
      })
      .refine(({ name, type }) => (name === undefined) === (type === undefined), {
        path: ['type'],
        message: 'Send name and type together.',
      }),
    outside: 'dns',
    answers: { 200: propagationSchema },
  }),
}
