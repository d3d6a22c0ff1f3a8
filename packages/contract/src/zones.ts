import { z } from 'zod'
import { type DelegationState, delegationStateSchema } from './delegation.ts'
import { pageOf, pageQuery } from './paging.ts'
import { route } from './route.ts'

/** What proves control of a name, and how looking for it goes. */
const verificationSchema = z
  .object({
    txt: z
      .object({ name: z.string(), value: z.string() })
      .meta({ description: 'A TXT record that proves control, in the DNS that the domain has now.' }),
    nameserver: z
      .string()
      .meta({ description: 'Or: add this host name to the nameservers of the domain at the registrar.' }),
    began_at: z.string().meta({ format: 'date-time' }),
    expires_at: z.string().meta({ format: 'date-time', description: 'Until then it is looked for by itself, too.' }),
    checked_at: z.string().nullable(),
    outcome: z.enum(['absent', 'unknown', 'refused']).nullable().meta({
      description:
        'Of the last check: no proof there; nobody could tell; or a proof that does not count, since another account has shown control of the name or its zone here is what shows the TXT record, or records of the account’s own zone above stand in the way.',
    }),
    contest_ends_at: z.string().nullable().meta({
      description:
        'The name is contested: a live zone stays with its owner who proves control until then, else it moves to the account that has.',
    }),
  })
  .meta({ id: 'Verification' })

type WireVerification = z.infer<typeof verificationSchema>

export const zoneSchema = z
  .object({
    id: z.uuid(),
    name: z.string().meta({ example: 'example.com' }),
    unicode_name: z.string(),
    state: z.enum(['pending', 'live']),
    origin: z.enum(['verified', 'bought', 'claimed', 'added']),
    role: z.enum(['owner', 'manager']),
    version: z.int().meta({ description: "Counts the customer's changes; also the ETag." }),
    serial: z.int().meta({ description: 'Counts publications; the SOA serial.' }),
    replicated: z.boolean().meta({ description: 'Every nameserver serves this serial.' }),
    delegation: z.object({ state: delegationStateSchema }),
    rrset_count: z.int(),
    nameservers: z.array(z.string()),
    created_at: z.string().meta({ format: 'date-time' }),
    verification: verificationSchema
      .optional()
      .meta({ description: 'Of pending zones and of those that are contested.' }),
  })
  .meta({ id: 'Zone' })

export type WireZone = z.infer<typeof zoneSchema>

const zoneChangeSchema = zoneSchema
  .pick({ id: true, name: true, unicode_name: true, state: true, origin: true, nameservers: true, verification: true })
  .meta({ id: 'ZoneChange', description: 'What adding or verifying a zone returns to a key without `records:read`.' })

export type WireZoneChange = z.infer<typeof zoneChangeSchema>

/** The response of a route that adds or verifies a zone. */
export const changedZoneSchema = z.union([zoneSchema, zoneChangeSchema])

/** A zone as the code holds it. */
export interface ZoneView {
  readonly id: string
  readonly name: string
  readonly unicodeName: string
  readonly state: WireZone['state']
  readonly origin: WireZone['origin']
  readonly role: WireZone['role']
  readonly version: number
  readonly serial: number
  readonly replicated: boolean
  readonly delegation: DelegationState
  readonly rrsetCount: number
  readonly nameservers: readonly string[]
  readonly createdAt: Date
  readonly verification?: VerificationView | undefined
}

/** A verification as the code holds it. */
export interface VerificationView {
  readonly txtName: string
  readonly txtValue: string
  readonly nameserver: string
  readonly beganAt: Date
  readonly expiresAt: Date
  readonly checkedAt: Date | null
  readonly outcome: WireVerification['outcome']
  readonly contestEndsAt: Date | null
}

export function zoneToWire(zone: ZoneView): WireZone {
  return {
    id: zone.id,
    name: zone.name,
    unicode_name: zone.unicodeName,
    state: zone.state,
    origin: zone.origin,
    role: zone.role,
    version: zone.version,
    serial: zone.serial,
    replicated: zone.replicated,
    delegation: { state: zone.delegation },
    rrset_count: zone.rrsetCount,
    nameservers: [...zone.nameservers],
    created_at: zone.createdAt.toISOString(),
    ...(zone.verification && { verification: verificationToWire(zone.verification) }),
  }
}

/** What a caller learns that may change a zone but not read it. */
export function zoneChangeToWire(zone: ZoneView): WireZoneChange {
  const { id, name, unicode_name, state, origin, nameservers, verification } = zoneToWire(zone)
  return { id, name, unicode_name, state, origin, nameservers, ...(verification && { verification }) }
}

function verificationToWire(verification: VerificationView): WireVerification {
  return {
    txt: { name: verification.txtName, value: verification.txtValue },
    nameserver: verification.nameserver,
    began_at: verification.beganAt.toISOString(),
    expires_at: verification.expiresAt.toISOString(),
    checked_at: verification.checkedAt?.toISOString() ?? null,
    outcome: verification.outcome,
    contest_ends_at: verification.contestEndsAt?.toISOString() ?? null,
  }
}

const zoneParams = z.object({ zone: z.string().meta({ description: 'Id or name of the zone.' }) })

const deletedZoneSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    unicode_name: z.string(),
    deleted_at: z.string().meta({ format: 'date-time' }),
    erased_at: z.string().meta({ format: 'date-time', description: 'From then on it cannot be had back.' }),
  })
  .meta({ id: 'DeletedZone' })

export const zoneRoutes = {
  listZones: route({
    id: 'listZones',
    method: 'GET',
    path: '/zones',
    who: ['records:read'],
    summary: 'List the zones that the key may see',
    query: z.strictObject({
      ...pageQuery,
      name: z.string().optional().meta({ description: 'Exactly this zone.' }),
      q: z.string().max(255).optional().meta({ description: 'Part of the name.' }),
      role: z.enum(['owner', 'manager']).optional(),
      state: z.enum(['pending', 'live']).optional(),
      owns_name: z.string().optional().meta({ description: 'The zone that a fully qualified name belongs to.' }),
    }),
    answers: { 200: pageOf(zoneSchema) },
  }),
  createZone: route({
    id: 'createZone',
    method: 'POST',
    path: '/zones',
    who: ['zones:manage'],
    summary: 'Add a zone',
    description:
      'The zone is live at once if its name is below a live zone of the account, which then delegates to it, or is a domain that the account has here, or below one. Otherwise, or if another account hosts the name, it is pending until you prove control of the name (`verification`): you can edit its records, but nothing is published. Names of the service itself, such as its nameservers, and names above or below them are refused with the detail `reserved`.',
    body: z.strictObject({ name: z.string().min(1).max(1_024).meta({ example: 'example.com' }) }),
    headers: ['ETag', 'Location'],
    answers: { 201: changedZoneSchema },
    errors: ['conflict', 'service_owned', 'zone_exists', 'zone_limit'],
  }),
  getZone: route({
    id: 'getZone',
    method: 'GET',
    path: '/zones/{zone}',
    who: ['records:read'],
    summary: 'Read one zone',
    params: zoneParams,
    headers: ['ETag'],
    answers: { 200: zoneSchema },
  }),
  deleteZone: route({
    id: 'deleteZone',
    method: 'DELETE',
    path: '/zones/{zone}',
    who: 'session',
    summary: 'Delete a zone',
    description:
      'By its owner, by typing its name. The nameservers stop answering within seconds; for 7 days it can be undone, unless the name is contested.',
    params: zoneParams,
    body: z.strictObject({ name: z.string().max(1_024).meta({ description: "The zone's name, typed." }) }),
    answers: { 204: null },
    errors: ['forbidden', 'precondition_failed'],
  }),
  listDeletedZones: route({
    id: 'listDeletedZones',
    method: 'GET',
    path: '/deleted-zones',
    who: 'session',
    summary: 'List the zones whose deletion can be undone, the latest first',
    query: z.strictObject(pageQuery),
    answers: { 200: pageOf(deletedZoneSchema) },
  }),
  restoreZone: route({
    id: 'restoreZone',
    method: 'POST',
    path: '/deleted-zones/{id}/restore',
    who: 'session',
    summary: 'Undo the deletion of a zone',
    description:
      'Its id, records, managers and line of serials are what they were; keys that had picked it do not have it again. What another account has had live since, or has taken with a name above it, or what was deleted in a contest, is not had back: add it anew.',
    params: z.object({ id: z.uuid() }),
    source: 'restore',
    headers: ['ETag'],
    answers: { 200: zoneSchema },
    errors: ['conflict', 'not_found', 'service_owned', 'subdomain_limit', 'zone_exists', 'zone_limit'],
  }),
  verifyZone: route({
    id: 'verifyZone',
    method: 'POST',
    path: '/zones/{zone}/verify',
    who: ['zones:manage'],
    summary: 'Look for the proof of control now',
    description:
      'Answers with the zone: live when the proof is there and no other account has the name. A TXT record in another DNS than ours opens a contest of 72 hours about a live zone, of which its owner is told. 422 when records of the account’s zone above stand in the way of the delegation.',
    params: zoneParams,
    outside: 'dns',
    headers: ['ETag'],
    answers: { 200: changedZoneSchema },
    errors: ['zone_exists'],
  }),
}
