import {
  attribute,
  type Content,
  child,
  children,
  content,
  optionalAttribute,
  optionalChild,
  ownText,
  text,
} from '../content/content.ts'
import { authInfo, clientId, status } from '../content/eppcom.ts'
import { line, oneOf, someOf, token } from '../content/scalar.ts'
import { elementsOf } from '../element.ts'
import { Namespace } from '../namespaces.ts'

/** The elements of the contact mapping (RFC 5733). */
export const contact = elementsOf(Namespace.contact)

export const contactAuthInfo = authInfo(contact)

/** RFC 5733 §2.2. */
const contactStatuses = [
  'clientDeleteProhibited',
  'clientTransferProhibited',
  'clientUpdateProhibited',
  'linked',
  'ok',
  'pendingCreate',
  'pendingDelete',
  'pendingTransfer',
  'pendingUpdate',
  'serverDeleteProhibited',
  'serverTransferProhibited',
  'serverUpdateProhibited',
] as const

export const contactStatus = status(someOf('a status of a contact', contactStatuses))

/** Name and address: `int` in ASCII only, `loc` in any script (RFC 5733 §2.4). */
export interface PostalInfo {
  readonly type: 'int' | 'loc'
  readonly name: string
  readonly organization?: string
  readonly address: PostalAddress
}

export interface PostalAddress {
  /** Three lines at most. */
  readonly street: readonly string[]
  readonly city: string
  readonly state?: string
  readonly postalCode?: string
  /** ISO 3166-1, two letters. */
  readonly country: string
}

const postalLine = line('a line of an address', { min: 1, max: 255 })
const optionalPostalLine = line('a line of an address', { max: 255 })
const postalType = oneOf('a form of an address', ['int', 'loc'])

export const postalAddress: Content<PostalAddress> = content<PostalAddress>({
  street: children(contact('street'), text(optionalPostalLine), { max: 3 }),
  city: child(contact('city'), text(postalLine)),
  state: optionalChild(contact('sp'), text(optionalPostalLine)),
  postalCode: optionalChild(contact('pc'), text(token('a postal code', { max: 16 }))),
  country: child(contact('cc'), text(token('a country', { min: 2, max: 2 }))),
})

export const postalInfo: Content<PostalInfo> = content<PostalInfo>({
  type: attribute('type', postalType),
  name: child(contact('name'), text(postalLine)),
  organization: optionalChild(contact('org'), text(optionalPostalLine)),
  address: child(contact('addr'), postalAddress),
})

/** The fields that an update can change. */
export interface PostalInfoChange {
  readonly type: 'int' | 'loc'
  readonly name?: string
  readonly organization?: string
  readonly address?: PostalAddress
}

export const postalInfoChange: Content<PostalInfoChange> = content<PostalInfoChange>({
  type: attribute('type', postalType),
  name: optionalChild(contact('name'), text(postalLine)),
  organization: optionalChild(contact('org'), text(optionalPostalLine)),
  address: optionalChild(contact('addr'), postalAddress),
})

/** `+234.8012345678`, or empty (RFC 5733 §2.5). */
export interface Phone {
  readonly number: string
  readonly extension?: string
}

export const phone: Content<Phone> = content<Phone>({
  number: ownText(token('a phone number', { max: 17, pattern: /^(?:\+[0-9]{1,3}\.[0-9]{1,14})?$/ })),
  extension: optionalAttribute('x', token('an extension')),
})

export const emailToken = token('an email address', { min: 1 })

/** A command with only a contact's id. */
export interface IdentifiedContact {
  readonly id: string
}

export const identifiedContact: Content<IdentifiedContact> = content<IdentifiedContact>({
  id: child(contact('id'), text(clientId)),
})
