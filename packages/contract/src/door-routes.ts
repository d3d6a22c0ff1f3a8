import type { z } from 'zod'
import type { ChangeSource } from './actor.ts'
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
  /** The shape of a body of JSON, whatever its Content-Type: the door's handler gets it parsed. Left out: it gets what was sent. */
  readonly body?: z.ZodType
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

/** Every route of every door. The permission matrix of the doors has a row for each. */
export const doorRoutes: readonly DoorRoute[] = [dynamicDnsRoutes, acmeDoorRoutes].flatMap((door) =>
  Object.values(door),
)
