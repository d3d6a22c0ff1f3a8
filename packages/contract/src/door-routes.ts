import type { z } from 'zod'
import type { ChangeSource } from './actor.ts'
import { maxImportBytes, maxJsonBytes, maxPublicBodyBytes } from './limits.ts'
import { powerdnsPatchSchema, powerdnsSettingsSchema, powerdnsZoneSchema } from './powerdns.ts'
import type { Method, Who } from './route.ts'

/**
 * A route of a door: a protocol that existing clients speak. It is not part of the API, so openapi.json does not have it, and its protocol
 * determines the form of its requests and responses.
 */
export interface DoorRoute {
  /** Its name in metrics, unique among all routes. */
  readonly id: string
  readonly methods: readonly Method[]
  /** The whole path, with `{names}`. */
  readonly path: string
  /** Who can call it. No door accepts a session. */
  readonly who: Exclude<Who, 'session'>
  /** As for a route of the API. */
  readonly wholeZone?: boolean
  /** The source of the changes that are made through it. Left out: it changes nothing, and does not count toward the daily change budget. */
  readonly source?: ChangeSource
  /** Maximum bytes of a request's body. A body of at most `maxPublicBodyBytes` is read before the caller is known. */
  readonly maxBodyBytes: number
  /** The shape of a body of JSON, whatever its Content-Type: the door's handler gets it parsed. Left out: it gets the body as it was sent. */
  readonly body?: z.ZodType
}

const powerdnsServer = '/api/v1/servers/localhost'
const powerdnsZones = `${powerdnsServer}/zones`
const powerdnsZone = `${powerdnsZones}/{zone}`

/** The HTTP API of PowerDNS. */
export const powerdnsRoutes = {
  versions: readOnly('powerdnsVersions', '/api', 'any-key'),
  servers: readOnly('powerdnsServers', '/api/v1/servers', 'any-key'),
  server: readOnly('powerdnsServer', powerdnsServer, 'any-key'),
  config: readOnly('powerdnsConfig', `${powerdnsServer}/config`, 'any-key'),
  statistics: readOnly('powerdnsStatistics', `${powerdnsServer}/statistics`, 'any-key'),
  listZones: readOnly('powerdnsListZones', powerdnsZones, ['records:read', 'acme:dns01']),
  createZone: {
    ...{ id: 'powerdnsCreateZone', methods: ['POST'], path: powerdnsZones, who: ['zones:manage'], source: 'powerdns' },
    ...{ body: powerdnsZoneSchema, maxBodyBytes: maxImportBytes },
  },
  getZone: readOnly('powerdnsGetZone', powerdnsZone, ['records:read', 'acme:dns01']),
  patchZone: {
    ...{ id: 'powerdnsPatchZone', methods: ['PATCH'], path: powerdnsZone, who: ['records:write', 'acme:dns01'] },
    ...{ wholeZone: false, source: 'powerdns', body: powerdnsPatchSchema, maxBodyBytes: maxImportBytes },
  },
  putZone: {
    ...{ id: 'powerdnsPutZone', methods: ['PUT'], path: powerdnsZone, who: ['records:write'], wholeZone: true },
    ...{ source: 'powerdns', body: powerdnsSettingsSchema, maxBodyBytes: maxJsonBytes },
  },
  deleteZone: { ...readOnly('powerdnsDeleteZone', powerdnsZone, 'any-key'), methods: ['DELETE'] },
  notify: {
    ...readOnly('powerdnsNotify', `${powerdnsZone}/notify`, ['records:read', 'records:write', 'acme:dns01']),
    methods: ['PUT'],
  },
  rectify: {
    ...readOnly('powerdnsRectify', `${powerdnsZone}/rectify`, ['records:read', 'records:write']),
    methods: ['PUT'],
  },
  exportZone: { ...readOnly('powerdnsExportZone', `${powerdnsZone}/export`, ['records:read']), wholeZone: true },
  listKeys: readOnly('powerdnsListKeys', `${powerdnsZone}/cryptokeys`, ['records:read']),
  getKey: readOnly('powerdnsGetKey', `${powerdnsZone}/cryptokeys/{key}`, ['records:read']),
  createKey: { ...readOnly('powerdnsCreateKey', `${powerdnsZone}/cryptokeys`, 'any-key'), methods: ['POST'] },
  changeKey: {
    ...readOnly('powerdnsChangeKey', `${powerdnsZone}/cryptokeys/{key}`, 'any-key'),
    methods: ['PUT', 'DELETE'],
  },
  /** Every other path below the servers. */
  other: {
    ...readOnly('powerdnsOther', '/api/v1/servers/*', 'any-key'),
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  },
} as const satisfies Readonly<Record<string, DoorRoute>>

/** A route that changes nothing, and does not use its body. It applies the limits of a key, or shows no records. */
function readOnly(id: string, path: string, who: DoorRoute['who']) {
  return { id, methods: ['GET'], path, who, wholeZone: false, maxBodyBytes: maxPublicBodyBytes } as const
}

/** Dynamic DNS: the protocol dyndns2, which routers speak, and the address from which a client reaches us. */
export const dynamicDnsRoutes = {
  update: {
    id: 'dyndns2Update',
    methods: ['GET', 'POST'],
    path: '/nic/update',
    who: ['records:write'],
    wholeZone: false,
    source: 'dyndns2',
    maxBodyBytes: 4 * 1024,
  },
  updateV3: {
    id: 'dyndns2UpdateV3',
    methods: ['GET', 'POST'],
    path: '/v3/update',
    who: ['records:write'],
    wholeZone: false,
    source: 'dyndns2',
    maxBodyBytes: 4 * 1024,
  },
  checkIp: { id: 'checkIp', methods: ['GET'], path: '/checkip', who: 'public', maxBodyBytes: 1024 },
} as const satisfies Readonly<Record<string, DoorRoute>>

const challenge = {
  methods: ['POST'],
  who: ['records:write', 'acme:dns01'],
  wholeZone: false,
  maxBodyBytes: 4 * 1024,
} as const

/** Challenges of certificate authorities: httpreq, the protocol of lego, and acme-dns. */
export const acmeDoorRoutes = {
  present: { id: 'httpreqPresent', path: '/acme/present', ...challenge, source: 'httpreq' },
  cleanup: { id: 'httpreqCleanup', path: '/acme/cleanup', ...challenge, source: 'httpreq' },
  update: { id: 'acmeDnsUpdate', path: '/acme-dns/update', ...challenge, source: 'acme-dns' },
  register: {
    id: 'acmeDnsRegister',
    methods: ['POST'],
    path: '/acme-dns/register',
    who: 'public',
    maxBodyBytes: 4 * 1024,
  },
  health: { id: 'acmeDnsHealth', methods: ['GET'], path: '/acme-dns/health', who: 'public', maxBodyBytes: 1024 },
} as const satisfies Readonly<Record<string, DoorRoute>>

/**
 * Domain Connect, for service providers: the settings of a zone, whether a template is installed, and the link that opens the dashboard.
 * The dashboard changes the records, with a session (`domainConnectRoutes`).
 */
export const connectDoorRoutes = {
  settings: {
    id: 'connectSettings',
    methods: ['GET'],
    path: '/v2/{domain}/settings',
    who: 'public',
    maxBodyBytes: 1024,
  },
  template: {
    id: 'connectTemplate',
    methods: ['GET'],
    path: '/v2/domainTemplates/providers/{provider}/services/{service}',
    who: 'public',
    maxBodyBytes: 1024,
  },
  apply: {
    id: 'connectApply',
    methods: ['GET'],
    path: '/v2/domainTemplates/providers/{provider}/services/{service}/apply',
    who: 'public',
    maxBodyBytes: 1024,
  },
} as const satisfies Readonly<Record<string, DoorRoute>>

/** Every route of every door. The permission matrix of the doors has a row for each. */
export const doorRoutes: readonly DoorRoute[] = [
  dynamicDnsRoutes,
  acmeDoorRoutes,
  powerdnsRoutes,
  connectDoorRoutes,
].flatMap((door) => Object.values<DoorRoute>(door))
