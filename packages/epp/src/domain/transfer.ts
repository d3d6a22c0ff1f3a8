import { type Content, child, content, optionalChild, text } from '../content/content.ts'
import { clientId, label, type Period, period } from '../content/eppcom.ts'
import { instant, oneOf } from '../content/scalar.ts'
import { domain, domainAuthInfo } from './parts.ts'

/** RFC 5730 §2.9.3.4. */
export const transferOperations = ['approve', 'cancel', 'query', 'reject', 'request'] as const
export type TransferOperation = (typeof transferOperations)[number]

/** All operations of a transfer (RFC 5731 §3.1.3, §3.2.4). */
export interface DomainTransfer {
  readonly name: string
  readonly period?: Period
  readonly authInfo?: string
}

export const domainTransfer: Content<DomainTransfer> = content<DomainTransfer>({
  name: child(domain('name'), text(label)),
  period: optionalChild(domain('period'), period),
  authInfo: optionalChild(domain('authInfo'), domainAuthInfo),
})

export const transferStatuses = [
  'clientApproved',
  'clientCancelled',
  'clientRejected',
  'pending',
  'serverApproved',
  'serverCancelled',
] as const
export type TransferStatus = (typeof transferStatuses)[number]

export interface DomainTransferData {
  readonly name: string
  readonly status: TransferStatus
  /** Who requested it, and when. */
  readonly reId: string
  readonly reDate: Date
  /** Who must act, and by when; or who has acted, and when. */
  readonly acId: string
  readonly acDate: Date
  readonly exDate?: Date
}

export const domainTransferData: Content<DomainTransferData> = content<DomainTransferData>({
  name: child(domain('name'), text(label)),
  status: child(domain('trStatus'), text(oneOf('a status of a transfer', transferStatuses))),
  reId: child(domain('reID'), text(clientId)),
  reDate: child(domain('reDate'), text(instant)),
  acId: child(domain('acID'), text(clientId)),
  acDate: child(domain('acDate'), text(instant)),
  exDate: optionalChild(domain('exDate'), text(instant)),
})
