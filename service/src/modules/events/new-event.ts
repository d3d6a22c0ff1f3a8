import type { EventType } from '@zonewright/contract'

/**
 * What a held event waits for: `serial`, that every nameserver has its serial, at most 30 s; `everywhere`, that every
 * nameserver answers the zone, however long (design: webhooks, "From event to delivery").
 */
export type HeldFor = 'serial' | 'everywhere'

/** An event as the transaction that makes it happen knows it; its id and time, and so its body, are fixed when it is released. */
export interface NewEvent {
  readonly type: EventType
  /** Accounts that get it: the zone's owner, first, and every manager, or the order's account. None of a test: it is in no account's events. */
  readonly recipients: readonly string[]
  /** Its zone's managers get it, too: whoever is one when it is written. */
  readonly alsoManagers?: boolean
  /** Set for a test alone, which goes to this one endpoint, whatever that subscribes to. */
  readonly endpointId?: string
  /** The zone it is about: events of one zone go out in the order in which they were written. */
  readonly zoneId?: string
  readonly zoneName?: string
  /** The zone's, as the database counts it (bigint): what `held: 'serial'` waits for. */
  readonly serial?: number
  /** The request that it comes of. */
  readonly requestId?: string | null
  /** Null: at once, unless earlier events of its zone still wait. */
  readonly held: HeldFor | null
  /** As the specification shapes it, its members in that order. Release turns a `replicated: false` into what is true then. */
  readonly data: unknown
}
