import { type Content, child, content, optionalChild, text } from '../content/content.ts'
import { label, type Period, period } from '../content/eppcom.ts'
import { day, instant } from '../content/scalar.ts'
import { domain } from './parts.ts'

/** Renews a domain. The current expiry date prevents a repeated command from renewing it twice (RFC 5731 §3.2.3). */
export interface DomainRenew {
  readonly name: string
  /** A date: its time is not sent. */
  readonly currentExpiry: Date
  readonly period?: Period
}

export const domainRenew: Content<DomainRenew> = content<DomainRenew>({
  name: child(domain('name'), text(label)),
  currentExpiry: child(domain('curExpDate'), text(day)),
  period: optionalChild(domain('period'), period),
})

export interface DomainRenewData {
  readonly name: string
  readonly exDate?: Date
}

export const domainRenewData: Content<DomainRenewData> = content<DomainRenewData>({
  name: child(domain('name'), text(label)),
  exDate: optionalChild(domain('exDate'), text(instant)),
})
