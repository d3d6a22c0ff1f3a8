import { z } from 'zod'
import { type DelegationState, delegationStateSchema, delegationStates } from './delegation.ts'
import { instantText } from './instant.ts'
import { maxLabels } from './limits.ts'
import { label, type Notes, notesSent, notesShown, notesToWire } from './notes.ts'
import { dnssecQuery, dnssecSchema, maxPageSize, pageOf, pageQuery, sortQuery } from './paging.ts'
import { zoneParams } from './records.ts'
import { route } from './route.ts'

export const zoneState = z.enum(['pending', 'live'])

/** The proofs of control of a name that the service accepts, and the state of the checks. */
const verificationSchema = z
  .object({
    txt: z
      .object({ name: z.string(), value: z.string() })
      .meta({ description: 'A TXT record that proves control. Add it at the current DNS provider of the domain.' }),
    nameserver: z.string().meta({
      description:
        'A host name that proves control, as an alternative to the TXT record. Add it to the nameservers of the domain at the registrar.',
    }),
    began_at: z
      .string()
      .meta({ format: 'date-time', description: 'The time at which the service created this challenge.' }),
    expires_at: z
      .string()
      .meta({ format: 'date-time', description: 'The time at which the automatic checks for a proof end.' }),
    checked_at: z
      .string()
      .nullable()
      .meta({ description: 'The time of the last check. It is null before the first check.' }),
    outcome: z.enum(['absent', 'unknown', 'refused']).nullable().meta({
      description:
        'The result of the last check. `absent`: the service found no proof. `unknown`: the servers of the domain did not respond. `refused`: the service found a proof but does not accept it. There are three possible reasons. Another account has proved control of the name, or the TXT record is in a zone of another account on our nameservers, or records in your parent zone conflict with the delegation to the new zone.',
    }),
    contest_ends_at: z.string().nullable().meta({
      description:
        'The end of the contest for the name. It is null if the name is not contested. If the owner of the live zone proves control before this time, the owner keeps the name. Otherwise, the name moves to the account that started the contest, if the TXT record of that account still exists.',
    }),
  })
  .meta({ id: 'Verification' })

type WireVerification = z.infer<typeof verificationSchema>

export const zoneSchema = z
  .object({
    id: z.uuid(),
    name: z.string().meta({ example: 'example.com' }),
    unicode_name: z.string().meta({ description: 'The name with internationalized labels in Unicode.' }),
    state: zoneState.meta({
      description:
        '`pending`: the account has not proved control of the name yet, so the nameservers do not serve the zone. `live`: the nameservers serve the zone.',
    }),
    origin: z.enum(['verified', 'bought', 'claimed', 'added']).meta({
      description:
        'How the account got the name. `verified`: with a proof of control. `bought`: with a domain that the account registered here or transferred here. `claimed`: as a free subdomain. `added`: without a proof, for example below another zone of the account. A pending zone also has `added`, unless the account got it with a domain.',
    }),
    role: z.enum(['owner', 'manager']).meta({
      description: '`owner`: the account owns the zone. `manager`: another account shares the zone with this account.',
    }),
    version: z.int().meta({
      description:
        'The version of the zone. It increases with each change that you make. The ETag is this number in double quotes.',
    }),
    serial: z.int().meta({
      description: 'The SOA serial. It increases with each change that the service publishes to the nameservers.',
    }),
    replicated: z.boolean().meta({ description: 'True if every nameserver serves this serial.' }),
    delegation: z.object({ state: delegationStateSchema }),
    dnssec: dnssecSchema,
    expires_at: z.string().nullable().meta({
      description:
        'The time at which the registration of the domain expires, as its registry last reported it. It is null if this time is not known.',
    }),
    presets: z.array(z.string()).meta({
      description:
        'The ids of the presets that were applied to the zone, the latest first. Later changes may have removed the records of these presets.',
      example: ['netlify.com.website'],
    }),
    rrset_count: z.int().meta({ description: 'The number of record sets in the zone.' }),
    nameservers: z
      .array(z.string())
      .meta({ description: 'The nameservers of this service for the zone. Set them at the registrar of the domain.' }),
    created_at: z.string().meta({ format: 'date-time' }),
    ...notesShown,
    verification: verificationSchema
      .optional()
      .meta({ description: 'The proof of control. Only pending and contested zones have this field.' }),
  })
  .meta({ id: 'Zone' })

export type WireZone = z.infer<typeof zoneSchema>

const zoneChangeSchema = zoneSchema
  .pick({ id: true, name: true, unicode_name: true, state: true, origin: true, nameservers: true, verification: true })
  .meta({
    id: 'ZoneChange',
    description: 'The response if a key without `records:read` adds or verifies a zone.',
  })

export type WireZoneChange = z.infer<typeof zoneChangeSchema>

/** The response of a route that adds or verifies a zone. */
export const changedZoneSchema = z.union([zoneSchema, zoneChangeSchema])

/** A zone in the code's form. */
export interface ZoneView extends Notes {
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
  /** Whether its parent zone has DS records for it; null: not known. */
  readonly hasDs: boolean | null
  readonly expiresAt: Date | null
  /** The ids of the presets that were applied to it, the latest first. */
  readonly presets: readonly string[]
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
    dnssec: { parent_ds: zone.hasDs },
    expires_at: zone.expiresAt?.toISOString() ?? null,
    presets: [...zone.presets],
    rrset_count: zone.rrsetCount,
    nameservers: [...zone.nameservers],
    created_at: zone.createdAt.toISOString(),
    ...notesToWire(zone),
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
    unicode_name: z.string().meta({ description: 'The name with internationalized labels in Unicode.' }),
    deleted_at: z.string().meta({ format: 'date-time' }),
    erased_at: z
      .string()
      .meta({ format: 'date-time', description: 'The time after which you cannot restore the zone.' }),
  })
  .meta({ id: 'DeletedZone' })

const zoneAvailabilitySchema = z
  .object({
    name: z.string().meta({ description: 'The name in the form that a zone uses: in lower case, with A-labels.' }),
    available: z.boolean().meta({ description: 'True if you can add the zone now.' }),
    reason: z.enum(['invalid', 'reserved', 'yours', 'taken', 'limit', 'hosted']).nullable().meta({
      description:
        'The reason why you cannot add the zone now. `invalid`: the name is not valid. `reserved`: the service uses the name. `yours`: your account already has a zone with this name. `taken`: the name is below a zone of another account. `limit`: the account has reached its limit of zones. You can add the zone despite the reason `hosted`: another account hosts the name here, so your zone is pending until you prove control of the name. If no reason applies, the field is null.',
    }),
    message: z.string().nullable().meta({ description: 'The reason as human-readable text.' }),
  })
  .meta({ id: 'ZoneAvailability' })

export type WireZoneAvailability = z.infer<typeof zoneAvailabilitySchema>

/** Maximum number of names in one check. */
const maxNamesPerCheck = 100

/** The result for one zone of a request that changes labels. */
const labelledZoneSchema = z
  .object({
    zone: z.uuid(),
    outcome: z.enum(['changed', 'unchanged', 'too_many', 'not_found']).meta({
      description:
        '`changed`: the labels were changed. `unchanged`: the zone already had these labels. `too_many`: the zone would have too many labels, so it was not changed. `not_found`: the zone does not exist, or the account has no access to it.',
    }),
    labels: z.array(label).meta({ description: 'The labels of the zone after the call.' }),
  })
  .meta({ id: 'LabelledZone' })

export type WireLabelledZone = z.infer<typeof labelledZoneSchema>

export const zoneRoutes = {
  listZones: route({
    id: 'listZones',
    method: 'GET',
    path: '/zones',
    who: ['records:read'],
    wholeZone: false,
    summary: 'List the zones that the account owns or manages',
    description:
      'The list is sorted by name, unless you send `sort`. If a key covers only some zones, the list has only these zones.',
    query: z.strictObject({
      ...pageQuery,
      name: z.string().optional().meta({ description: 'If you send this, the list has only the zone with this name.' }),
      q: z
        .string()
        .max(255)
        .optional()
        .meta({ description: 'If you send this, the list has only the zones whose name contains this text.' }),
      role: z.enum(['owner', 'manager']).optional().meta({
        description:
          'If you send this, the list has only the zones in which the account has this role. `owner`: zones that the account owns. `manager`: zones that other accounts share with the account.',
      }),
      state: zoneState.optional().meta({ description: 'If you send this, the list has only the zones in this state.' }),
      delegation: z.enum(delegationStates).optional().meta({
        description: 'If you send this, the list has only the zones whose delegation is in this state.',
      }),
      dnssec: dnssecQuery.meta({
        description:
          'If you send this, the list has only the zones with this value of `dnssec.parent_ds`: `ds` for true, `no_ds` for false, `unknown` for null.',
      }),
      expires_before: instantText.optional().meta({
        description: 'If you send this, the list has only the zones whose registration expires before this time.',
      }),
      label: label.optional().meta({ description: 'If you send this, the list has only the zones with this label.' }),
      preset: z.string().max(255).optional().meta({
        description:
          'The id of a preset. If you send this, the list has only the zones to which the preset was applied.',
      }),
      sort: sortQuery('name', 'state', 'delegation', 'expires_at', 'rrset_count', 'created_at'),
      owns_name: z
        .string()
        .optional()
        .meta({ description: 'A fully qualified name. The list then has only the zone that contains this name.' }),
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
      'The new zone is live immediately if its name is below a live zone of the account. The live zone then delegates to the new zone. The new zone is also live immediately if its name is a domain that the account has registered here, or is below such a domain. In all other cases, and whenever another account has a live zone with the same name, the zone is pending until you prove control of the name (`verification`). You can edit the records of a pending zone, but the service does not publish them.\n\nYou cannot add the names that the service itself uses, such as the names of its nameservers, or names above or below them. For such a name, the error has the detail `reserved`.',
    body: z.strictObject({
      name: z.string().min(1).max(1_024).meta({ description: 'The name of the zone.', example: 'example.com' }),
    }),
    headers: ['ETag', 'Location'],
    answers: { 201: changedZoneSchema },
    errors: ['conflict', 'service_owned', 'zone_exists', 'zone_limit'],
  }),
  zoneAvailability: route({
    id: 'zoneAvailability',
    method: 'GET',
    path: '/zone-availability',
    who: ['zones:manage'],
    summary: 'Check whether you can add a zone',
    description: 'The call changes nothing. It applies the same rules as `POST /zones`.',
    query: z.strictObject({
      name: z.string().min(1).max(1_024).meta({ description: 'The name of the zone.', example: 'example.com' }),
    }),
    answers: { 200: zoneAvailabilitySchema },
  }),
  checkZones: route({
    id: 'checkZones',
    method: 'POST',
    path: '/zone-availability',
    who: ['zones:manage'],
    reads: true,
    summary: 'Check which of many zones you can add',
    description:
      'The call changes nothing. It checks each name by the same rules as `POST /zones`, independently of the other names.',
    body: z.strictObject({
      names: z
        .array(z.string().min(1).max(1_024))
        .min(1)
        .max(maxNamesPerCheck)
        .meta({ description: 'The names of the zones.', example: ['example.com', 'example.org'] }),
    }),
    answers: {
      200: z.object({
        data: z.array(zoneAvailabilitySchema).meta({ description: 'One entry for each name, in the same order.' }),
        zones_left: z.int().min(0).meta({ description: 'The number of zones that the account can still add.' }),
      }),
    },
  }),
  labelZones: route({
    id: 'labelZones',
    method: 'PATCH',
    path: '/zones',
    who: 'session',
    summary: 'Add labels to many zones, or remove labels from them',
    description:
      'The call does not change other labels and comments. If the call cannot change a zone, it still changes the other zones. The response has the outcome for each zone.',
    body: z.strictObject({
      zones: z.array(z.uuid()).min(1).max(maxPageSize).meta({ description: 'The ids of the zones.' }),
      add: z
        .array(label)
        .max(maxLabels)
        .default([])
        .meta({ description: 'The labels to add.', example: ['shop'] }),
      remove: z.array(label).max(maxLabels).default([]).meta({
        description: 'The labels to remove. If a label is in both `add` and `remove`, the call adds it.',
      }),
    }),
    answers: {
      200: z.object({
        data: z.array(labelledZoneSchema).meta({ description: 'One entry for each zone, in the same order.' }),
      }),
    },
  }),
  getZone: route({
    id: 'getZone',
    method: 'GET',
    path: '/zones/{zone}',
    who: ['records:read'],
    wholeZone: false,
    summary: 'Read one zone',
    params: zoneParams,
    headers: ['ETag'],
    answers: { 200: zoneSchema },
  }),
  describeZone: route({
    id: 'describeZone',
    method: 'PATCH',
    path: '/zones/{zone}',
    who: 'session',
    summary: 'Change the comment and the labels of a zone',
    description:
      'Everyone who can see the zone can read its comment and labels. The comment and labels are not part of the records, versions, events and exports of the zone.',
    params: zoneParams,
    body: z.strictObject(notesSent),
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
      'Only the owner can call this. The nameservers stop serving the zone within seconds. You can undo the deletion for 7 days, unless you delete a live zone that is contested (`contest_ends_at`).',
    params: zoneParams,
    body: z.strictObject({
      name: z.string().max(1_024).meta({ description: 'The name of the zone, as a confirmation.' }),
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
      'The restored zone has the same id, records and managers as before. If the zone was live, its serial is higher than before. Keys whose scope listed the zone cover the zone again, with the same limits. Keys that were revoked, that have expired, or that were restricted to other zones or limits after the deletion do not cover the zone again.\n\nYou cannot restore a zone that you lost in a contest, or that was live and contested when you deleted it. You also cannot restore a zone if another account had a live zone with the same name, or with a name above it, after the deletion. In these cases, add the zone again.',
    params: z.object({ id: z.uuid().meta({ description: 'The id of the deleted zone.' }) }),
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
      'The call returns the zone. The zone is live if the service found the proof and no other account has a live zone with the same name.\n\nIf another account has such a zone, only a TXT record at another DNS provider counts as your proof. This proof starts a contest of 72 hours, and the service notifies the owner of the live zone. If the owner proves control within this time, the owner keeps the name. Otherwise, you get the name, if your TXT record still exists.\n\nIf your account also has the parent zone, and records in the parent zone conflict with the delegation to the new zone, the call fails with 422.',
    params: zoneParams,
    outside: 'dns',
    headers: ['ETag'],
    answers: { 200: changedZoneSchema },
    errors: ['zone_exists'],
  }),
}
