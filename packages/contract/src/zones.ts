import { z } from 'zod'
import { type DelegationState, delegationStateSchema } from './delegation.ts'
import { pageOf, pageQuery } from './paging.ts'
import { zoneParams } from './records.ts'
import { route } from './route.ts'

/** What proves control of a name, and the state of the checks. */
const verificationSchema = z
  .object({
    txt: z
      .object({ name: z.string(), value: z.string() })
      .meta({ description: 'A TXT record that proves control. Add it at the current DNS provider of the domain.' }),
    nameserver: z
      .string()
      .meta({ description: 'Alternatively, add this host name to the domain’s nameservers at the registrar.' }),
    began_at: z.string().meta({ format: 'date-time' }),
    expires_at: z
      .string()
      .meta({ format: 'date-time', description: 'Until then, the service also checks automatically.' }),
    checked_at: z.string().nullable(),
    outcome: z.enum(['absent', 'unknown', 'refused']).nullable().meta({
      description:
        'The result of the last check. `absent`: no proof was found. `unknown`: the servers did not answer. `refused`: the proof does not count, because another account has proved control of the name, because the TXT record is served from another account’s zone here, or because records of the account’s own parent zone conflict.',
    }),
    contest_ends_at: z.string().nullable().meta({
      description:
        'Set if the name is contested. The owner of the live zone keeps the name by proving control before this time. Otherwise the name moves to the account that has proved control.',
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
    version: z
      .int()
      .meta({ description: 'Increases with each change that you make. The ETag is this number in double quotes.' }),
    serial: z.int().meta({ description: 'The SOA serial. Increases with each publication.' }),
    replicated: z.boolean().meta({ description: 'Whether every nameserver serves this serial.' }),
    delegation: z.object({ state: delegationStateSchema }),
    rrset_count: z.int(),
    nameservers: z.array(z.string()),
    created_at: z.string().meta({ format: 'date-time' }),
    verification: verificationSchema.optional().meta({ description: 'Only for pending and contested zones.' }),
  })
  .meta({ id: 'Zone' })

export type WireZone = z.infer<typeof zoneSchema>

const zoneChangeSchema = zoneSchema
  .pick({ id: true, name: true, unicode_name: true, state: true, origin: true, nameservers: true, verification: true })
  .meta({
    id: 'ZoneChange',
    description: 'The response to a key without `records:read` that adds or verifies a zone.',
  })

export type WireZoneChange = z.infer<typeof zoneChangeSchema>

/** The response of a route that adds or verifies a zone. */
export const changedZoneSchema = z.union([zoneSchema, zoneChangeSchema])

/** A zone in the code's form. */
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

/** A verification in the code's form. */
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

/** The response for a caller that may change a zone but not read it. */
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

const deletedZoneSchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    unicode_name: z.string(),
    deleted_at: z.string().meta({ format: 'date-time' }),
    erased_at: z.string().meta({ format: 'date-time', description: 'After this time, the zone cannot be restored.' }),
  })
  .meta({ id: 'DeletedZone' })

export const zoneRoutes = {
  listZones: route({
    id: 'listZones',
    method: 'GET',
    path: '/zones',
    who: ['records:read'],
    summary: 'List zones',
    query: z.strictObject({
      ...pageQuery,
      name: z.string().optional().meta({ description: 'Only the zone with this name.' }),
      q: z.string().max(255).optional().meta({ description: 'Part of the name.' }),
      role: z.enum(['owner', 'manager']).optional(),
      state: z.enum(['pending', 'live']).optional(),
      owns_name: z.string().optional().meta({ description: 'Only the zone that contains this fully qualified name.' }),
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
      'The zone is live immediately if its name is under a live zone of the account, which then delegates to the new zone. It is also live immediately if its name is a domain that the account has here, or is under one. Otherwise, or if another account hosts the name, the zone is pending until you prove control of the name (`verification`). You can edit the records of a pending zone, but they are not published. Names of the service itself, such as its nameservers, and names above or below them are refused with the detail `reserved`.',
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
      'Only the owner can do this. The request must contain the zone’s name. The nameservers stop answering within seconds. You can undo the deletion for 7 days, unless the name is contested.',
    params: zoneParams,
    body: z.strictObject({
      name: z.string().max(1_024).meta({ description: 'The name of the zone, as confirmation.' }),
    }),
    answers: { 204: null },
    errors: ['forbidden', 'precondition_failed'],
  }),
  listDeletedZones: route({
    id: 'listDeletedZones',
    method: 'GET',
    path: '/deleted-zones',
    who: 'session',
    summary: 'List deleted zones that can be restored, newest first',
    query: z.strictObject(pageQuery),
    answers: { 200: pageOf(deletedZoneSchema) },
  }),
  restoreZone: route({
    id: 'restoreZone',
    method: 'POST',
    path: '/deleted-zones/{id}/restore',
    who: 'session',
    summary: 'Restore a deleted zone',
    description:
      'Restores the zone with its id, records, managers and serial. Keys that listed the zone do not cover the restored zone. You cannot restore a zone that was lost in a contest. Nor can you restore it if another account has since had a live zone with its name or a name above it. Add the zone again instead.',
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
    summary: 'Check the proof of control now',
    description:
      'Returns the zone. It is live if the proof was found and no other account has the name. If another account has a live zone with the name, a TXT record at another DNS provider starts a contest of 72 hours, and the owner is notified. Returns 422 if records of the account’s parent zone conflict with the delegation.',
    params: zoneParams,
    outside: 'dns',
    headers: ['ETag'],
    answers: { 200: changedZoneSchema },
    errors: ['zone_exists'],
  }),
}
