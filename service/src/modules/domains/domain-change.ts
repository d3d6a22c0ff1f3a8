import type { DomainChangeKind } from '@zonewright/contract'
import type { ContactDetails } from '#modules/contacts/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { FaultDetail, Refusal } from '#platform/errors.ts'
import type { DomainInfo, RegistryHost, Transfer } from '#ports/registry.ts'

/** The wanted state of a domain. It can be compared with what the registry has, so a worker that takes a change over knows what is left. */
export type Wish =
  | {
      readonly kind: 'nameservers'
      readonly nameservers: readonly string[]
      /** Addresses (glue) of some of those that are the domain itself or below it. */
      readonly hosts: readonly RegistryHost[]
      /** Some of them are ours, which do not sign: with DS records at the registry no validating resolver would take their answers. */
      readonly isUnsigned: boolean
    }
  | { readonly kind: 'lock' | 'unlock' | 'transfer_code' | 'approve_transfer' | 'reject_transfer' }
  | {
      readonly kind: 'contacts'
      readonly contact: ContactDetails
      /** The id of the new contact at the registry, which is created for this change. */
      readonly registrantId: string
      /** The id of the former contact, if it is ours to delete. */
      readonly formerId: string | null
    }
  /** Out of its redemption period (RFC 3915). `reason`: for the registry's report. */
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
  /** Sealed: the transfer code that is to be set, or that of a new contact. */
  readonly secret: Buffer | null
  readonly actor: Actor
  /** The change has allowed updates, and must prohibit them again. */
  readonly relock: boolean
  readonly failure: Failure | null
  /** The number of its latest lease. Only the holder of that lease may write to the change. */
  readonly lease: number
}

/** What the registry has, as far as a change needs it. */
export interface Sight {
  readonly info: DomainInfo
  /** Addresses of those hosts of the wish that exist. */
  readonly hosts: ReadonlyMap<string, readonly string[]>
  /** The contact of the wish exists. */
  readonly hasContact: boolean
  /** The registry shows the transfer code, and it is the wished one. */
  readonly hasCode: boolean
  readonly transfer: Transfer | null
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
