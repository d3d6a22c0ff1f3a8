import type { DomainChangeKind } from '@zonewright/contract'
import type { UseCode } from '#modules/accounts/index.ts'
import type { ContactDetails } from '#modules/contacts/index.ts'
import type { ChangeCommand, RecordedCommand } from '#modules/registry-commands/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { FaultDetail, Refusal } from '#platform/errors.ts'
import type { Logger } from '#platform/log.ts'
import type { Database } from '#platform/postgres/index.ts'
import type { SecretBox } from '#platform/secrets.ts'
import type { DomainInfo, Registries, Registry, RegistryHost, Transfer } from '#ports/registry.ts'

/** The wanted state of a domain. It can be compared with what the registry has, so a worker that takes over a change knows what is left to do. */
export type Wish =
  | {
      readonly kind: 'nameservers'
      readonly nameservers: readonly string[]
      /** Addresses (glue) of some nameservers at or below the domain. */
      readonly hosts: readonly RegistryHost[]
      /**
       * Some of the nameservers are ours, which do not sign. With DS records at the registry, validating resolvers would reject their answers.
       */
      readonly isUnsigned: boolean
    }
  /** `isDefault`: the lock that every new domain gets. It prohibits only transfers. */
  | { readonly kind: 'lock'; readonly isDefault?: true }
  | { readonly kind: 'unlock' | 'transfer_code' | 'approve_transfer' | 'reject_transfer' }
  | {
      readonly kind: 'contacts'
      readonly contact: ContactDetails
      /** The id of the new contact at the registry, which is created for this change. */
      readonly registrantId: string
      /** The id of the former contact, if it is ours to delete. */
      readonly formerId: string | null
    }
  /** A restore from the redemption period (RFC 3915). `reason`: for the report to the registry. */
  | { readonly kind: 'restore'; readonly reason: string }

/** Why a change failed, in words for the person who requested it. */
export interface Failure {
  readonly code: Refusal['code']
  readonly message: string
  readonly details?: readonly FaultDetail[]
}

/** A change of a domain at its registry. */
export interface Change {
  readonly id: number
  readonly domainId: number
  readonly name: string
  readonly accountId: string
  readonly kind: DomainChangeKind
  readonly wish: Wish
  /** Sealed: the new transfer code, or the transfer code of a new contact. */
  readonly secret: Buffer | null
  readonly actor: Actor
  /** The change has allowed updates, and must prohibit them again. */
  readonly relock: boolean
  readonly failure: Failure | null
  /** The number of its latest lease. Only the holder of that lease may write to the change. */
  readonly lease: number
}

/** Whether a change is the default lock. */
export function isDefaultLock({ wish }: Pick<Change, 'wish'>): boolean {
  return wish.kind === 'lock' && wish.isDefault === true
}

/** What the audit log says of a domain after a lock. */
export function lockedAs(change: Pick<Change, 'wish'>): string {
  return isDefaultLock(change) ? 'was locked against transfers, because it is new' : 'was locked'
}

/** Whether no request waits for a change. It is then never dropped, and the audit log shows if it fails. */
export function isUnattended(change: Pick<Change, 'wish'>): boolean {
  return change.wish.kind === 'restore' || isDefaultLock(change)
}

/** What the registry has, as far as a change needs it. */
export interface Sight {
  readonly info: DomainInfo
  /** Addresses of the wanted hosts that exist. */
  readonly hosts: ReadonlyMap<string, readonly string[]>
  /** Whether the wanted contact exists. */
  readonly hasContact: boolean
  /** Whether the registry shows the transfer code, and it is the wanted one. */
  readonly hasCode: boolean
  readonly transfer: Transfer | null
}

/** A change that someone requests. */
export interface NewChange extends Pick<Change, 'name' | 'actor' | 'wish'> {
  /** A secret for the registry. The database stores it only sealed. */
  readonly secret?: string
  /** Uses up a two-factor code in the transaction that stores the change. */
  readonly permit?: UseCode
}

/** What changes need from outside their module. */
export interface ChangeWork {
  readonly database: Database
  readonly registries: Registries
  readonly secrets: SecretBox
  readonly log: Logger
}

/** A change that a worker has claimed. */
export interface ClaimedChange {
  readonly change: Change
  /** The commands that were recorded for it. */
  readonly operations: readonly RecordedCommand<ChangeCommand>[]
  /** The first command of a default lock, which was recorded with the claim. */
  readonly first?: RecordedCommand<ChangeCommand> | undefined
}

/** A change in progress, and the commands that were recorded for it. */
export interface Stand {
  readonly database: Database
  readonly registry: Registry
  readonly change: Change
  readonly operations: readonly RecordedCommand<ChangeCommand>[]
  /** What the registry has; undefined: it must be queried, the domain is no longer with us, or a default lock was set without a query. */
  readonly sight?: Sight | undefined
}

/** The state in which a worker leaves a change. */
export type Progress =
  | { readonly end: 'done' }
  | { readonly end: 'refused'; readonly failure: Failure }
  /** Nothing was changed and nothing will be, because the registry could not be reached. */
  | { readonly end: 'dropped' }
  /** The registry decides later (1001). */
  | { readonly end: 'pending' }
  /** A result is unknown, or something is left to do. A worker continues the change later. */
  | { readonly end: 'later' }
