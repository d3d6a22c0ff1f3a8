import { type Content, child, children, content, optionalChild, text } from '../content/content.ts'
import { clientId, roid } from '../content/eppcom.ts'
import { instant } from '../content/scalar.ts'
import { type Disclosure, disclosure } from './disclosure.ts'
import {
  contact,
  contactAuthInfo,
  contactStatus,
  emailToken,
  type Phone,
  type PostalInfo,
  phone,
  postalInfo,
} from './parts.ts'

/** Requests the registry's data of a contact (RFC 5733 §3.1.2). */
export interface ContactInfo {
  readonly id: string
  readonly authInfo?: string
}

export const contactInfo: Content<ContactInfo> = content<ContactInfo>({
  id: child(contact('id'), text(clientId)),
  authInfo: optionalChild(contact('authInfo'), contactAuthInfo),
})

export interface ContactInfoData {
  readonly id: string
  readonly roid: string
  readonly statuses: readonly string[]
  readonly postal: readonly PostalInfo[]
  readonly voice?: Phone
  readonly fax?: Phone
  readonly email: string
  readonly clId: string
  readonly crId: string
  readonly crDate: Date
  readonly upId?: string
  readonly upDate?: Date
  readonly trDate?: Date
  readonly authInfo?: string
  readonly disclosure?: Disclosure
}

export const contactInfoData: Content<ContactInfoData> = content<ContactInfoData>({
  id: child(contact('id'), text(clientId)),
  roid: child(contact('roid'), text(roid)),
  statuses: children(contact('status'), contactStatus, { min: 1, max: 7 }),
  postal: children(contact('postalInfo'), postalInfo, { min: 1, max: 2 }),
  voice: optionalChild(contact('voice'), phone),
  fax: optionalChild(contact('fax'), phone),
  email: child(contact('email'), text(emailToken)),
  clId: child(contact('clID'), text(clientId)),
  crId: child(contact('crID'), text(clientId)),
  crDate: child(contact('crDate'), text(instant)),
  upId: optionalChild(contact('upID'), text(clientId)),
  upDate: optionalChild(contact('upDate'), text(instant)),
  trDate: optionalChild(contact('trDate'), text(instant)),
  authInfo: optionalChild(contact('authInfo'), contactAuthInfo),
  disclosure: optionalChild(contact('disclose'), disclosure),
})
