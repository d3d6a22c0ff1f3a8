import { type Content, child, children, content, optionalChild, text } from '../content/content.ts'
import { clientId } from '../content/eppcom.ts'
import { instant } from '../content/scalar.ts'
import { type Disclosure, disclosure } from './disclosure.ts'
import { contact, contactAuthInfo, emailToken, type Phone, type PostalInfo, phone, postalInfo } from './parts.ts'

/** Creates a contact (RFC 5733 §3.2.1). */
export interface ContactCreate {
  readonly id: string
  /** One of each form at most. */
  readonly postal: readonly PostalInfo[]
  readonly voice?: Phone
  readonly fax?: Phone
  readonly email: string
  readonly authInfo: string
  readonly disclosure?: Disclosure
}

export const contactCreate: Content<ContactCreate> = content<ContactCreate>({
  id: child(contact('id'), text(clientId)),
  postal: children(contact('postalInfo'), postalInfo, { min: 1, max: 2 }),
  voice: optionalChild(contact('voice'), phone),
  fax: optionalChild(contact('fax'), phone),
  email: child(contact('email'), text(emailToken)),
  authInfo: child(contact('authInfo'), contactAuthInfo),
  disclosure: optionalChild(contact('disclose'), disclosure),
})

export interface ContactCreateData {
  readonly id: string
  readonly crDate: Date
}

export const contactCreateData: Content<ContactCreateData> = content<ContactCreateData>({
  id: child(contact('id'), text(clientId)),
  crDate: child(contact('crDate'), text(instant)),
})
