import { type Content, child, children, content, optionalChild, text } from '../content/content.ts'
import { clientId, label, type Period, period } from '../content/eppcom.ts'
import { instant } from '../content/scalar.ts'
import { type DomainContact, domain, domainAuthInfo, domainContact, type Nameservers, nameservers } from './parts.ts'

/** Registers a domain (RFC 5731 §3.2.1). */
export interface DomainCreate {
  readonly name: string
  readonly period?: Period
  readonly nameservers?: Nameservers
  readonly registrant?: string
  readonly contacts: readonly DomainContact[]
  readonly authInfo: string
}

export const domainCreate: Content<DomainCreate> = content<DomainCreate>({
  name: child(domain('name'), text(label)),
  period: optionalChild(domain('period'), period),
  nameservers,
  registrant: optionalChild(domain('registrant'), text(clientId)),
  contacts: children(domain('contact'), domainContact),
  authInfo: child(domain('authInfo'), domainAuthInfo),
})

export interface DomainCreateData {
  readonly name: string
  readonly crDate: Date
  readonly exDate?: Date
}

export const domainCreateData: Content<DomainCreateData> = content<DomainCreateData>({
  name: child(domain('name'), text(label)),
  crDate: child(domain('crDate'), text(instant)),
  exDate: optionalChild(domain('exDate'), text(instant)),
})
