import { z } from 'zod'
import { zoneParams } from './records.ts'
import { route } from './route.ts'

/** Where a domain is delegated (specification, "Zone delegation"; design: zones, "Health"). */
export const delegationStates = ['waiting', 'live', 'partial', 'lost', 'missing'] as const

export type DelegationState = (typeof delegationStates)[number]

export const delegationStateSchema = z.enum(delegationStates).meta({
  description:
    '`waiting`: the domain has never been delegated here. `live`: all of its nameservers are ours. `partial`: only some are ours. `lost`: none of them is ours any longer. `missing`: the parent no longer has the name.',
})

const hostNames = z.array(z.string().meta({ example: 'ns1.example.net' }))

export const delegationSchema = z
  .object({
    state: delegationStateSchema,
    since: z.string().meta({ format: 'date-time' }),
    parent_nameservers: hostNames.meta({ description: 'The nameservers in the last response of the parent zone.' }),
    registry_nameservers: hostNames.meta({ description: 'The nameservers at the registry. Empty if unknown.' }),
    expected: hostNames.meta({ description: 'The nameservers to enter at the registrar.' }),
    checked_at: z
      .string()
      .nullable()
      .meta({ format: 'date-time', description: 'When the parent last answered. Null if it has not answered yet.' }),
    failure: z.enum(['no_parent', 'timeout', 'lame', 'disagree', 'one_server']).nullable().meta({
      description:
        'Why the last check failed. `no_parent`: the parent’s servers were not found. `timeout`: they did not respond. `lame`: they did not know their own zone. `disagree`: they contradicted each other. `one_server`: only one of several reported a delegation to this service. After a failed check, the state stays unchanged.',
    }),
  })
  .meta({ id: 'Delegation' })

export type WireDelegation = z.infer<typeof delegationSchema>

/** A zone's delegation in the code's form. */
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

export const delegationRoutes = {
  getDelegation: route({
    id: 'getDelegation',
    method: 'GET',
    path: '/zones/{zone}/delegation',
    who: ['records:read'],
    summary: 'Read the delegation of a zone',
    params: zoneParams,
    answers: { 200: delegationSchema },
  }),
  checkDelegation: route({
    id: 'checkDelegation',
    method: 'POST',
    path: '/zones/{zone}/delegation/check',
    who: ['records:read'],
    summary: 'Check the delegation now',
    description:
      'Checks at most once every 10 seconds. A call within 10 seconds of a check returns the result of that check. A change of state needs a second check a minute later, except for the change from `waiting` to `live`.',
    params: zoneParams,
    outside: 'dns',
    reads: true,
    answers: { 200: delegationSchema },
  }),
}
