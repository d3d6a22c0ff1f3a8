import { parsePhoneNumber } from 'libphonenumber-js/max'
import type { DomainContact, RegistryContact } from '#ports/registry.ts'
import type { ContactDetails } from './rules.ts'

/** A contact in the format of registries. */
export function registryContact(id: string, contact: ContactDetails): RegistryContact {
  const { name, organization, city, state, postalCode, country, email } = contact
  const street = [contact.address1, contact.address2].filter((line) => line !== '')
  return { id, name, organization, street, city, state, postalCode, country, email, ...eppPhone(contact.phone) }
}

/** The contacts of a domain: its registrant, for everything. */
export function domainContacts(registrantId: string): DomainContact[] {
  return (['admin', 'tech', 'billing'] as const).map((type) => ({ type, id: registrantId }))
}

/** `+2348031234567;ext=12` as `+234.8031234567` and `12` (RFC 5733 §2.5). */
function eppPhone(text: string): Pick<RegistryContact, 'phone' | 'phoneExtension'> {
  const { countryCallingCode, nationalNumber, ext = '' } = parsePhoneNumber(text)
  return { phone: `+${countryCallingCode}.${nationalNumber}`, phoneExtension: ext }
}
