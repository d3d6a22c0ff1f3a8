import { z } from 'zod'
import { zoneParams } from './records.ts'
import { route } from './route.ts'

/** Why a queried server gave no usable answer. */
const probeFailure = z.enum(['timeout', 'refused', 'broken'])

export const propagationSchema = z
  .object({
    serial: z.int().meta({
      description: 'The serial that the call checks. This is the parameter `serial`, or the current serial by default.',
    }),
    replicated: z.boolean().meta({ description: 'True if every nameserver serves this serial.' }),
    nameservers: z.array(
      z.object({
        name: z.string(),
        address: z.string(),
        serial: z.int().nullable().meta({
          description: 'The serial that the nameserver serves. It is null if the nameserver does not serve the zone.',
        }),
        in_sync: z.boolean().meta({
          description:
            'True if the nameserver serves the serial that the call checks, or a newer one. A serial that the zone does not have yet does not count.',
        }),
        latency_ms: z.number().nullable().meta({ description: 'The response time in milliseconds.' }),
        checked_at: z.string().nullable().meta({
          format: 'date-time',
          description:
            'The time at which the service saw this serial. If the nameserver responds to this call, this is the current time. Otherwise, this is the time of its last response.',
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
          in_sync: z.boolean().meta({ description: 'The same as for a nameserver.' }),
          latency_ms: z.number().nullable().meta({ description: 'The response time in milliseconds.' }),
          error: probeFailure.nullable().meta({
            description: 'The reason why the secondary gave no usable answer. It is null if there was no error.',
          }),
        }),
      )
      .meta({
        description: 'The secondaries that the owner of the zone has added. They do not count toward `replicated`.',
      }),
    resolvers: z
      .array(
        z.object({
          name: z.string().meta({ description: 'The name of the resolver.' }),
          address: z.string().meta({ description: 'The IP address of the resolver.' }),
          answer: z.array(z.string()).nullable().meta({
            description:
              'The records of this type, after the resolver followed any aliases. The field is null if there was no response.',
          }),
          ttl: z.int().nullable().meta({
            description:
              'The seconds until the cached records of the resolver expire. The field is null if there are no records.',
          }),
          in_sync: z.boolean().meta({
            description:
              'True if the records are the same as on our nameservers. If an alias points out of the zone, the service compares only the alias. If the name is delegated, any response matches.',
          }),
        }),
      )
      .meta({
        description:
          'Public resolvers. If you send `name` and `type`, the service queries them now. Otherwise, the list is empty.',
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
      'The response shows which nameservers serve the current serial. If you send `name` and `type`, it also shows the answers of public resolvers.',
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
