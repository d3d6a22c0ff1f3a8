import { z } from 'zod'
import { zoneParams } from './records.ts'
import { route } from './route.ts'

/** Where a domain is delegated (specification, "Zone delegation"; design: zones, "Health"). */
export const delegationStates = ['waiting', 'live', 'partial', 'lost', 'missing'] as const

export type DelegationState = (typeof delegationStates)[number]

/**
 * The state of a delegation as people see it. A change of the state needs a second check, but the last response of the parent already shows that the
 * domain points here only in part.
 */
export function shownDelegation(
  state: DelegationState,
  parentNameservers: readonly string[],
  expected: readonly string[],
): DelegationState {
  const ours = parentNameservers.filter((name) => expected.includes(name)).length
  const isPart = ours > 0 && (ours < expected.length || ours < parentNameservers.length)
  return isPart ? 'partial' : state
}

export const delegationStateSchema = z.enum(delegationStates).meta({
  description:
    'The state of the delegation. `waiting`: the domain has never been delegated to our nameservers. `live`: all nameservers of the domain are ours. `partial`: only some nameservers of the domain are ours. `lost`: the domain no longer has any of our nameservers. `missing`: the parent zone no longer has the domain.',
})

const hostNames = z.array(z.string().meta({ example: 'ns1.example.net' }))

export const delegationSchema = z
  .object({
    state: delegationStateSchema,
    since: z.string().meta({ format: 'date-time', description: 'The time at which the state last changed.' }),
    parent_nameservers: hostNames.meta({
      description: 'The nameservers of the domain, from the last response of the parent zone.',
    }),
    registry_nameservers: hostNames.meta({
      description: 'The nameservers of the domain at the registry. The list is empty if they are unknown.',
    }),
    expected: hostNames.meta({ description: 'The nameservers that you should set at the registrar.' }),
    checked_at: z.string().nullable().meta({
      format: 'date-time',
      description: 'The time of the last response of the parent zone. It is null before the first response.',
    }),
    failure: z.enum(['no_parent', 'timeout', 'lame', 'disagree', 'one_server']).nullable().meta({
      description:
        'The reason why the last check failed. `no_parent`: the service did not find the servers of the parent zone. `timeout`: the servers of the parent zone did not respond. `lame`: these servers are not authoritative for the parent zone. `disagree`: these servers gave contradictory responses. `one_server`: only one of these servers reported a delegation to our nameservers. A failed check does not change the state.',
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

const registrarSchema = z
  .object({
    domain: z.string().meta({
      description:
        'The registered domain that contains the zone. If the name of the zone is not this domain, delegate the zone at the DNS provider of this domain, not at the registrar.',
      example: 'example.com',
    }),
    name: z.string().nullable().meta({
      description:
        'The name of the registrar of the domain, as the registry reports it. It is null if the registrar is unknown.',
      example: 'Example Registrar',
    }),
    url: z.string().nullable().meta({
      description: 'The website of the registrar. It is null if the website is unknown.',
      example: 'https://registrar.example/',
    }),
    registered_here: z.boolean().meta({ description: 'True if the domain is registered with this service.' }),
    checked_at: z.string().nullable().meta({
      format: 'date-time',
      description: 'The time of the last answer from the registry. It is null if the registry has not answered.',
    }),
  })
  .meta({ id: 'Registrar' })

export type WireRegistrar = z.infer<typeof registrarSchema>

/** The registrar of a zone's domain in the code's form. */
export interface RegistrarView {
  readonly domain: string
  readonly name: string | null
  readonly url: string | null
  readonly isOurs: boolean
  readonly answeredAt: Date | null
}

export function registrarToWire({ domain, name, url, isOurs, answeredAt }: RegistrarView): WireRegistrar {
  return { domain, name, url, registered_here: isOurs, checked_at: answeredAt?.toISOString() ?? null }
}

export const delegationRoutes = {
  getDelegation: route({
    id: 'getDelegation',
    method: 'GET',
    path: '/zones/{zone}/delegation',
    who: ['records:read'],
    wholeZone: false,
    summary: 'Read the delegation of a zone',
    description:
      'The response has the result of the last check. A check compares the nameservers that the parent zone lists for the domain with the nameservers of this service.',
    params: zoneParams,
    answers: { 200: delegationSchema },
  }),
  checkDelegation: route({
    id: 'checkDelegation',
    method: 'POST',
    path: '/zones/{zone}/delegation/check',
    who: ['records:read'],
    wholeZone: false,
    summary: 'Check the delegation now',
    description:
      'The service checks a zone at most once every 10 seconds. If the last check is less than 10 seconds old, the call returns the result of that check. The change from `waiting` to `live` needs one check. Any other change of the state needs a second check a minute later.',
    params: zoneParams,
    outside: 'dns',
    reads: true,
    answers: { 200: delegationSchema },
  }),
  getRegistrar: route({
    id: 'getRegistrar',
    method: 'GET',
    path: '/zones/{zone}/registrar',
    who: ['records:read'],
    wholeZone: false,
    summary: 'Find the registrar of the domain of a zone',
    description:
      'The service queries the registry over RDAP, and keeps the answer for a day. A query takes up to 15 seconds. After a query without an answer, the service waits 10 minutes before the next query. An account can cause up to 100 queries an hour. If the account has reached this limit, or if the registry has no RDAP server, the call succeeds with `name: null`.',
    params: zoneParams,
    outside: 'dns',
    answers: { 200: registrarSchema },
  }),
}
