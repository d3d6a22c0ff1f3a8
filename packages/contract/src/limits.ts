/** Changes in one bulk request. */
export const maxChangesPerRequest = 1_000
/** Record sets in one replacement of a whole zone. */
export const maxRrsetsPerRequest = 10_000
/** JSON that anybody but an import may send. */
export const maxJsonBytes = 1024 * 1024
/** A body to a route that anybody may call. */
export const maxPublicBodyBytes = 16 * 1024
/** A message of the card gateway. */
export const maxGatewayBytes = 256 * 1024
/** An import, as a zone file or as JSON. */
export const maxImportBytes = 16 * 1024 * 1024
/**
 * Requests a minute: of one key (specification, "Limits"), of one session, and from one address that shows neither. `site`: from all
 * addresses of an IPv6 /48 together.
 */
export const requestsPerMinute = { key: 300, session: 600, address: 600, site: 6_000 } as const

/** Pages and files of the dashboard that one address may load in a minute: they come from memory. */
export const filesPerMinute = 3_000

/**
 * Calls a minute of one account, with its keys and sessions together, that make the service ask servers of others.
 *
 * - `dns`: nameservers, resolvers and parents: propagation, delegation checks, verification, the checklist
 * - `check`: registries, whether names are free
 * - `quote`: registries, for a price
 * - `registry`: registries, to change a domain
 * - `receiver`: webhook receivers, and where they are
 */
export const outsideCallsPerMinute = { dns: 300, check: 60, quote: 600, registry: 60, receiver: 300 } as const

/** A kind of call that makes the service ask servers of others. */
export type OutsideKind = keyof typeof outsideCallsPerMinute

/** Bytes of request bodies by which an account may change something in a day of UTC, unless an operator allows another number. */
export const usualDailyChangeBytes = 1_000_000_000
