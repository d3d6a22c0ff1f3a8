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

const zoneParams = z.object({ zone: z.string().meta({ description: 'Id or name of the zone.' }) })

export const delegationRoutes = {
  getDelegation: route({
    id: 'getDelegation',
    method: 'GET',
    path: '/zones/{zone}/delegation',
    who: ['records:read'],
    summary: 'See where the domain’s nameservers point',
    params: zoneParams,
    answers: { 200: delegationSchema },
  }),
  checkDelegation: route({
    id: 'checkDelegation',
    method: 'POST',
    path: '/zones/{zone}/delegation/check',
    who: ['records:read'],
    summary: 'Ask the parent now',
    description:
      'At most once in 10 seconds; sooner, the last result is answered. A move other than from waiting to live needs a second check a minute later.',
    params: zoneParams,
    outside: 'dns',
    reads: true,
    answers: { 200: delegationSchema },
  }),
}
