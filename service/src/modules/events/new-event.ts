import type { EventType } from '@zonewright/contract'

/**
 * What a held event waits for. `serial`: every nameserver has its serial, at most 30 s. `everywhere`: every
 * nameserver serves the zone, however long that takes (design: webhooks, "From event to delivery").
 */
export type HeldFor = 'serial' | 'everywhere'

/** An event as written by the transaction that causes it, which also fixes its id and time. Its body is fixed when it is released. */
export interface NewEvent {
  readonly type: EventType
  /** Accounts that get it: first the zone's owner, then every manager; or the order's account. None for a test, which is in no account's events. */
  readonly recipients: readonly string[]
  /** Its zone's managers at the time at which it is written also get it. */
  readonly alsoManagers?: boolean
  /** Only for a test, which is sent only to this endpoint, whatever it subscribes to. */
  readonly endpointId?: string
  /** The zone that it is about. Events of one zone are sent in the order in which they were written. */
  readonly zoneId?: string
  readonly zoneName?: string
  /** The zone's serial in the database (bigint), which `held: 'serial'` waits for. */
  readonly serial?: number
  /** The request that caused it. */
  readonly requestId?: string | null
  /** Null: it is sent immediately, unless earlier events of its zone still wait. */
  readonly held: HeldFor | null
  /** Members in the order of the specification. The release sets `replicated` to its current value. */
  readonly data: unknown
}
