import type { DomainChangeKind } from '@zonewright/contract'
import type { ContactDetails } from '#modules/contacts/index.ts'
import type { Actor } from '#platform/caller.ts'
import type { FaultDetail, Refusal } from '#platform/errors.ts'
import type { DomainInfo, RegistryHost, Transfer } from '#ports/registry.ts'

/** What a domain is to be like. It can be compared with what the registry has, so whoever takes a change over knows what is left. */
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
      /** The contact's id at the registry: drawn for this change. */
      readonly registrantId: string
      /** The one before, if it is ours to delete. */
      readonly formerId: string | null
    }
  /** Out of its redemption period (RFC 3915). `reason`: for the registry's report. */
  | { readonly kind: 'restore'; readonly reason: string }

/** Why a change came to nothing, in words for whoever wanted it. */
export interface Failure {
  readonly code: Refusal['code']
  readonly message: string
  readonly details?: readonly FaultDetail[]
}

/** A change of a domain at its registry, from the wish to its end. */
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
  /** Updates were allowed for it: they are to be prohibited again. */
  readonly relock: boolean
  readonly failure: Failure | null
  /** Which of those who went on with it may. */
  readonly lease: number
}

/** How it is at the registry, as far as a change is concerned with it. */
export interface Sight {
  readonly info: DomainInfo
  /** Addresses of the wished hosts that exist. */
  readonly hosts: ReadonlyMap<string, readonly string[]>
  /** The contact of the wish exists. */
  readonly hasContact: boolean
  /** The registry shows the transfer code, and it is the wished one. */
  readonly hasCode: boolean
  readonly transfer: Transfer | null
}

/** How far a change has come. */
export type Progress =
  | { readonly end: 'done' }
  | { readonly end: 'refused'; readonly failure: Failure }
  /** Nothing of it has happened, and nothing will: the registry could not be reached. */
  | { readonly end: 'dropped' }
  /** The registry decides later (1001). */
  | { readonly end: 'pending' }
  /** Something is not known, or left to do; it goes on by itself. */
  | { readonly end: 'later' }
