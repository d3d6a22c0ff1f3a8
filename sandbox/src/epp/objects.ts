import type { DsRecord } from '../dns/registry-zones.ts'

// The objects of the registry. Times are milliseconds, so that everything is JSON.

export interface Domain {
  readonly name: string
  readonly roid: string
  readonly sponsor: string
  readonly creator: string
  readonly createdAt: number
  readonly expiresAt: number
  readonly updater?: string
  readonly updatedAt?: number
  readonly transferredAt?: number
  readonly renewedAt?: number
  readonly registrant?: string
  readonly contacts: readonly { readonly type: 'admin' | 'billing' | 'tech'; readonly id: string }[]
  readonly nameservers: readonly string[]
  readonly ds: readonly DsRecord[]
  /** The statuses that its sponsor has set. */
  readonly clientStatuses: readonly string[]
  readonly authInfo: string | null
  /** The latest one. */
  readonly transfer?: Transfer
  /** The command that waits for a decision (1001). */
  readonly pending?: PendingAction
  /** When it was deleted, or its grace after the expiry ran out: the redemption period begins. */
  readonly deletedAt?: number
  /** When its restore was requested. The report is due. */
  readonly restoreAskedAt?: number
}

export interface Transfer {
  readonly status:
    | 'pending'
    | 'clientApproved'
    | 'clientCancelled'
    | 'clientRejected'
    | 'serverApproved'
    | 'serverCancelled'
  readonly requester: string
  readonly requestedAt: number
  readonly actor: string
  /** The deadline for its action, or the time of the action. */
  readonly actionAt: number
  readonly years: number
  /** The amount that the requester has paid. It is refunded if the transfer fails. */
  readonly paid: number
}

/** A command that is executed or rejected once someone decides. */
export interface PendingAction {
  readonly registrar: string
  readonly clTrid?: string
  readonly svTrid: string
  /** The command as it came. */
  readonly document: string
  readonly status: 'pendingCreate' | 'pendingRenew' | 'pendingUpdate' | 'pendingDelete' | 'pendingTransfer'
}

export interface Contact {
  readonly id: string
  readonly roid: string
  readonly sponsor: string
  readonly createdAt: number
  readonly updatedAt?: number
  /** As in the command: `postal`, `voice`, `fax`, `email`, `authInfo`. */
  readonly data: Readonly<Record<string, unknown>>
}

export interface Host {
  readonly name: string
  readonly roid: string
  readonly sponsor: string
  readonly createdAt: number
  readonly updatedAt?: number
  readonly addresses: readonly { readonly address: string; readonly version: 'v4' | 'v6' }[]
}

export interface Registrar {
  readonly id: string
  readonly password: string
  /** In kobo. */
  readonly balance: number
}

/** A message in a registrar's queue. */
export interface QueuedMessage {
  readonly id: string
  readonly registrar: string
  readonly at: number
  readonly text: string
  /** A response document with the data of the message. The rest of the document has no meaning. */
  readonly document?: string
}

/** Every kind of object, by its name in the file. */
export interface Kinds {
  readonly domain: Domain
  readonly contact: Contact
  readonly host: Host
  readonly registrar: Registrar
  readonly message: QueuedMessage
}
