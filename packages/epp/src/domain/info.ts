import {
  attributeOr,
  type Content,
  child,
  children,
  content,
  optionalChild,
  ownText,
  text,
} from '../content/content.ts'
import { clientId, label, roid } from '../content/eppcom.ts'
import { instant, oneOf } from '../content/scalar.ts'
import {
  type DomainContact,
  domain,
  domainAuthInfo,
  domainContact,
  domainStatus,
  type Nameservers,
  nameservers,
} from './parts.ts'

/** Requests the registry's data of a domain (RFC 5731 §3.1.2). */
export interface DomainInfo {
  /** The hosts in the response: those that it is delegated to, those below it, both or none. */
  readonly name: { readonly name: string; readonly hosts: 'all' | 'del' | 'sub' | 'none' }
  readonly authInfo?: string
}

export const domainInfo: Content<DomainInfo> = content<DomainInfo>({
  name: child(
    domain('name'),
    content<DomainInfo['name']>({
      hosts: attributeOr('hosts', oneOf('a choice of hosts', ['all', 'del', 'sub', 'none']), 'all'),
      name: ownText(label),
    }),
  ),
  authInfo: optionalChild(domain('authInfo'), domainAuthInfo),
})

export interface DomainInfoData {
  readonly name: string
  readonly roid: string
  readonly statuses: readonly string[]
  readonly registrant?: string
  readonly contacts: readonly DomainContact[]
  readonly nameservers?: Nameservers
  /** The hosts below it. */
  readonly hosts: readonly string[]
  /** The sponsor: the current registrar. */
  readonly clId: string
  readonly crId?: string
  readonly crDate?: Date
  readonly upId?: string
  readonly upDate?: Date
  readonly exDate?: Date
  readonly trDate?: Date
  readonly authInfo?: string
}

export const domainInfoData: Content<DomainInfoData> = content<DomainInfoData>({
  name: child(domain('name'), text(label)),
  roid: child(domain('roid'), text(roid)),
  statuses: children(domain('status'), domainStatus, { max: 11 }),
  registrant: optionalChild(domain('registrant'), text(clientId)),
  contacts: children(domain('contact'), domainContact),
  nameservers,
  hosts: children(domain('host'), text(label)),
  clId: child(domain('clID'), text(clientId)),
  crId: optionalChild(domain('crID'), text(clientId)),
  crDate: optionalChild(domain('crDate'), text(instant)),
  upId: optionalChild(domain('upID'), text(clientId)),
  upDate: optionalChild(domain('upDate'), text(instant)),
  exDate: optionalChild(domain('exDate'), text(instant)),
  trDate: optionalChild(domain('trDate'), text(instant)),
  authInfo: optionalChild(domain('authInfo'), domainAuthInfo),
})
