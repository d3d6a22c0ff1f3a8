import { type Content, child, children, content, elementWith, optionalChild, text } from '../content/content.ts'
import { label } from '../content/eppcom.ts'
import { token } from '../content/scalar.ts'
import { childNamed } from '../element.ts'
import {
  type DomainContact,
  domain,
  domainAuthInfo,
  domainContact,
  domainStatus,
  type Nameservers,
  nameservers,
} from './parts.ts'

/** Changes a domain (RFC 5731 §3.2.5). */
export interface DomainUpdate {
  readonly name: string
  readonly add?: DomainLists
  readonly remove?: DomainLists
  readonly change?: DomainMembers
}

/** The properties of which a domain can have several. */
export interface DomainLists {
  readonly nameservers?: Nameservers
  readonly contacts: readonly DomainContact[]
  readonly statuses: readonly string[]
}

/** The properties of which a domain has one. */
export interface DomainMembers {
  /** Empty: removes the registrant. */
  readonly registrant?: string
  /** Null: removes the password. */
  readonly authInfo?: string | null
}

const lists: Content<DomainLists> = content<DomainLists>({
  nameservers,
  contacts: children(domain('contact'), domainContact),
  statuses: children(domain('status'), domainStatus, { max: 11 }),
})

const authInfoOrNone: Content<string | null> = {
  read: (element) => (childNamed(element, domain('null')) === undefined ? domainAuthInfo.read(element) : null),
  write: (value) => (value === null ? { children: [elementWith(domain('null'), {})] } : domainAuthInfo.write(value)),
}

const members: Content<DomainMembers> = content<DomainMembers>({
  registrant: optionalChild(domain('registrant'), text(token('an identifier of a contact', { max: 16 }))),
  authInfo: optionalChild(domain('authInfo'), authInfoOrNone),
})

export const domainUpdate: Content<DomainUpdate> = content<DomainUpdate>({
  name: child(domain('name'), text(label)),
  add: optionalChild(domain('add'), lists),
  remove: optionalChild(domain('rem'), lists),
  change: optionalChild(domain('chg'), members),
})
