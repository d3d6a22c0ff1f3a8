import { z } from 'zod'
import { pageOf, pageQuery } from './paging.ts'
import { route } from './route.ts'

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
    rrset_count: z.int(),
    nameservers: z.array(z.string()),
    created_at: z.string().meta({ format: 'date-time' }),
  })
  .meta({ id: 'Zone' })

export type WireZone = z.infer<typeof zoneSchema>

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
  readonly rrsetCount: number
  readonly nameservers: readonly string[]
  readonly createdAt: Date
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
    rrset_count: zone.rrsetCount,
    nameservers: [...zone.nameservers],
    created_at: zone.createdAt.toISOString(),
  }
}

export const zoneRoutes = {
  listZones: route({
    id: 'listZones',
    method: 'GET',
    path: '/zones',
    who: ['records:read'],
    tag: 'Zones',
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
    tag: 'Zones',
    summary: 'Add a zone',
    description: 'Pending until control of the name is proved: its records can be edited, and nothing is published.',
    body: z.strictObject({ name: z.string().min(1).max(1_024).meta({ example: 'example.com' }) }),
    answers: { 201: zoneSchema },
    errors: ['conflict', 'zone_exists', 'zone_limit'],
  }),
  getZone: route({
    id: 'getZone',
    method: 'GET',
    path: '/zones/{zone}',
    who: ['records:read'],
    tag: 'Zones',
    summary: 'Read one zone',
    params: z.object({ zone: z.string().meta({ description: 'Id or name of the zone.' }) }),
    answers: { 200: zoneSchema },
  }),
}
