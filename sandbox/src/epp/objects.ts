import type { DsRecord } from '../dns/registry-zones.ts'

// What the registry keeps. Times are milliseconds, so that everything is JSON.

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
  /** Those that its sponsor has set. */
  readonly clientStatuses: readonly string[]
  readonly authInfo: string | null
  /** The latest one. */
  readonly transfer?: Transfer
  /** What waits for a decision (1001). */
  readonly pending?: PendingAction
  /** When it was deleted, or its grace after the expiry ran out: the redemption period begins. */
  readonly deletedAt?: number
  /** When its restoring was asked for; the report is due. */
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
  /** Until it must have acted, or when it has. */
  readonly actionAt: number
  readonly years: number
  /** What the requester has paid: it comes back when nothing comes of it. */
  readonly paid: number
}

/** A command that is to be carried out, or not, when somebody decides. */
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
  /** As the command said it: `postal`, `voice`, `fax`, `email`, `authInfo`. */
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
  /** A document of a response that has the data of the message; the rest of it says nothing. */
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
