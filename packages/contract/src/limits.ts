/** Maximum number of changes in one bulk request. */
export const maxChangesPerRequest = 1_000
/** Maximum number of record sets in one replacement of a whole zone. */
export const maxRrsetsPerRequest = 10_000
/** Minimum and maximum number of characters of a search. */
export const searchLengths = { least: 2, most: 100 } as const
/** Maximum number of hits of one kind in the response to a search. */
export const maxHits = 20
/** Maximum number of characters of a comment about a zone or a record set. */
export const maxCommentLength = 200
/** Maximum number of labels of a zone, and of a record set. */
export const maxLabels = 20
/** The form of a label. */
export const labelForm = /^[a-z0-9._-]{1,32}$/
/** Maximum bytes of a JSON body, except for imports. */
export const maxJsonBytes = 1024 * 1024
/** Maximum bytes of a body to a route that needs no key or session. */
export const maxPublicBodyBytes = 16 * 1024
/** Maximum bytes of a callback from the card gateway. */
export const maxGatewayBytes = 256 * 1024
/** Maximum number of zones of one plan that have contents of their own. */
export const maxPlanZones = 200
/** Maximum number of zones of one plan with contents that all zones share: a replacement or a preset (docs/decisions/0032). */
export const maxSharedPlanZones = 1_000
/** Maximum bytes of an import, as a zone file or as JSON, and of a plan. */
export const maxImportBytes = 16 * 1024 * 1024
/**
 * Requests per minute: of one key (specification, "Limits"), of one session, and from one address without either. `site`: from all
 * addresses of an IPv6 /48 together.
 */
export const requestsPerMinute = { key: 300, session: 600, address: 600, site: 6_000 } as const

/** Pages and files of the dashboard that one address can load per minute. They are served from memory. */
export const filesPerMinute = 3_000

/** Requests per minute from one address for its own address. */
export const checkIpPerMinute = 60

/**
 * Calls per minute of one account, from its keys and sessions together, that make the service contact outside servers.
 *
 * - `dns`: nameservers, resolvers and parents, for propagation, delegation checks, verification and the checklist
 * - `check`: registries, to find out whether names are available
 * - `quote`: registries, for a price
 * - `registry`: registries, to change a domain
 * - `receiver`: webhook receivers, and DNS for their addresses
 */
export const outsideCallsPerMinute = { dns: 300, check: 60, quote: 600, registry: 60, receiver: 300 } as const

/** A kind of call that makes the service contact outside servers. */
export type OutsideKind = keyof typeof outsideCallsPerMinute

/** The default daily change budget of an account: bytes of request bodies that changed something, per UTC day. Operators can change it. */
export const usualDailyChangeBytes = 1_000_000_000
