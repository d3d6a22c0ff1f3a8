import { z } from 'zod'
import { route } from './route.ts'

/** Where a domain's nameservers point (specification, "Zone delegation"; design: zones, "Health"). */
export const delegationStates = ['waiting', 'live', 'partial', 'lost', 'missing'] as const

export type DelegationState = (typeof delegationStates)[number]

export const delegationStateSchema = z.enum(delegationStates).meta({
  description:
    'waiting: never pointed here; live: all nameservers are ours and no others; partial: some are; lost: none is any more; missing: the parent has no such name any more.',
})

const hostNames = z.array(z.string().meta({ example: 'ns1.example.net' }))

export const delegationSchema = z
  .object({
    state: delegationStateSchema,
    since: z.string().meta({ format: 'date-time' }),
    parent_nameservers: hostNames.meta({ description: "As the parent's servers last answered." }),
    registry_nameservers: hostNames.meta({ description: 'As the registry has them; empty when that is not known.' }),
    expected: hostNames.meta({ description: 'What to enter at the registrar.' }),
    checked_at: z
      .string()
      .nullable()
      .meta({ format: 'date-time', description: 'When the parent last answered; null: not yet.' }),
    failure: z.enum(['no_parent', 'timeout', 'lame', 'disagree', 'one_server']).nullable().meta({
      description:
        "Why the last check had no answer: the parent's servers were not found, were silent, did not know their own zone, contradicted one another, or only one of several said that the zone is delegated here. The state is then left as it was.",
    }),
  })
  .meta({ id: 'Delegation' })

export type WireDelegation = z.infer<typeof delegationSchema>

/** A zone's delegation as the code holds it. */
export interface DelegationView {
  readonly state: DelegationState
  readonly since: Date
  readonly parentNameservers: readonly string[]
  readonly registryNameservers: readonly string[]
  readonly expected: readonly string[]
  readonly checkedAt: Date | null
  readonly failure: WireDelegation['failure']
}

export function delegationToWire(delegation: DelegationView): WireDelegation {
  return {
    state: delegation.state,
    since: delegation.since.toISOString(),
    parent_nameservers: [...delegation.parentNameservers],
    registry_nameservers: [...delegation.registryNameservers],
    expected: [...delegation.expected],
    checked_at: delegation.checkedAt?.toISOString() ?? null,
    failure: delegation.failure,
  }
}

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

export const delegationRoutes = {
  getPropagation: route({
    id: 'getPropagation',
    method: 'GET',
    path: '/zones/{zone}/propagation',
    who: ['records:read'],
    tag: 'Zones',
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
  getDelegation: route({
    id: 'getDelegation',
    method: 'GET',
    path: '/zones/{zone}/delegation',
    who: ['records:read'],
    tag: 'Zones',
    summary: 'See where the domain’s nameservers point',
    params: zoneParams,
    answers: { 200: delegationSchema },
  }),
  checkDelegation: route({
    id: 'checkDelegation',
    method: 'POST',
    path: '/zones/{zone}/delegation/check',
    who: ['records:read'],
    tag: 'Zones',
    summary: 'Ask the parent now',
    description:
      'At most once in 10 seconds; sooner, the last result is answered. A move other than from waiting to live needs a second check a minute later.',
    params: zoneParams,
    outside: 'dns',
    reads: true,
    answers: { 200: delegationSchema },
  }),
}
