import { type Content, child, children, content, optionalChild, text } from '../content/content.ts'
import { clientId } from '../content/eppcom.ts'
import { type Disclosure, disclosure } from './disclosure.ts'
import {
  contact,
  contactAuthInfo,
  contactStatus,
  emailToken,
  type Phone,
  type PostalInfoChange,
  phone,
  postalInfoChange,
} from './parts.ts'

/** Changes a contact (RFC 5733 §3.2.5). */
export interface ContactUpdate {
  readonly id: string
  readonly add?: ContactLists
  readonly remove?: ContactLists
  readonly change?: ContactMembers
}

export interface ContactLists {
  readonly statuses: readonly string[]
}

export interface ContactMembers {
  readonly postal: readonly PostalInfoChange[]
  readonly voice?: Phone
  readonly fax?: Phone
  readonly email?: string
  readonly authInfo?: string
  readonly disclosure?: Disclosure
}

const lists: Content<ContactLists> = content<ContactLists>({
  statuses: children(contact('status'), contactStatus, { min: 1, max: 7 }),
})

const members: Content<ContactMembers> = content<ContactMembers>({
  postal: children(contact('postalInfo'), postalInfoChange, { max: 2 }),
  voice: optionalChild(contact('voice'), phone),
  fax: optionalChild(contact('fax'), phone),
  email: optionalChild(contact('email'), text(emailToken)),
  authInfo: optionalChild(contact('authInfo'), contactAuthInfo),
  disclosure: optionalChild(contact('disclose'), disclosure),
})

export const contactUpdate: Content<ContactUpdate> = content<ContactUpdate>({
  id: child(contact('id'), text(clientId)),
  add: optionalChild(contact('add'), lists),
  remove: optionalChild(contact('rem'), lists),
  change: optionalChild(contact('chg'), members),
})
