import { randomFillSync } from 'node:crypto'

/** The kind of thing that an id names: the part before the underscore on the wire (design: api, "Conventions"). */
export type IdPrefix = 'key' | 'whe' | 'dlv' | 'evt' | 'req' | 'mail' | 'inv' | 'ord' | 'con' | 'quo' | 'pay' | 'card'

/**
 * A new id: prefix and 32 hex digits, the first twelve of them milliseconds since 1970.
 *
 * Ids made later sort later, so that their index pages stay warm, and `dayOf` can tell the partition of an event from its id.
 */
export function newId(prefix: IdPrefix, atMs: number = Date.now()): string {
  return `${prefix}_${atMs.toString(16).padStart(12, '0')}${randomHex()}`
}

const pool = Buffer.alloc(4_096)
let used = pool.length

/** Twenty random digits, drawn in advance: requesting ten bytes from the system costs each request as much as parsing it. */
function randomHex(): string {
  if (used + 10 > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += 10
  return pool.toString('hex', used - 10, used)
}

const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a text is a UUID, in either letter case. */
export function isUuid(text: string): boolean {
  return uuidShape.test(text)
}

/** The end of the year 9999: a later day has no form that PostgreSQL reads. Twelve digits could name one. */
const lastMs = Date.UTC(9_999, 11, 31, 23, 59, 59, 999)

/** The UTC day (`2026-11-20`) on which an id was made, or undefined when the text is not an id of that kind. */
export function dayOf(prefix: IdPrefix, id: string): string | undefined {
  const digits = new RegExp(`^${prefix}_([0-9a-f]{12})[0-9a-f]{20}$`).exec(id)?.[1]
  if (digits === undefined) return undefined
  const atMs = Number.parseInt(digits, 16)
  return atMs > lastMs ? undefined : new Date(atMs).toISOString().slice(0, 10)
}
