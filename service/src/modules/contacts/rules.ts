import { countries, displayFault } from '@zonewright/contract'
import { parsePhoneNumberWithError } from 'libphonenumber-js/max'
import type { FaultDetail } from '#platform/errors.ts'
import type { ContactFieldSetting } from '#platform/registries-setting.ts'

/** Who has a domain, or is to have it. */
export interface ContactDetails {
  readonly name: string
  readonly organization: string
  readonly email: string
  /** E.164. */
  readonly phone: string
  readonly address1: string
  readonly address2: string
  readonly city: string
  readonly state: string
  readonly postalCode: string
  /** ISO 3166-1, two upper-case letters. */
  readonly country: string
  /** What some TLDs ask for beyond the rest. */
  readonly extra: Readonly<Record<string, string>>
}

/** Brings the details into their one form, or tells every fault. */
export function checkContact(given: ContactDetails): { details: ContactDetails; faults: FaultDetail[] } {
  const faults: FaultDetail[] = []
  const phone = phoneOf(given.phone)
  if (phone === undefined)
    faults.push({
      path: '/phone',
      code: 'bad_phone',
      message:
        'This is no phone number that can be called: E.164, with + and the country code, such as +2348031234567.',
    })
  const country = given.country.toUpperCase()
  if (!countries.has(country))
    faults.push({ path: '/country', code: 'bad_country', message: 'This is no country of ISO 3166-1, such as NG.' })
  if (!isAddress(given.email))
    faults.push({ path: '/email', code: 'bad_email', message: 'This is no email address, such as ada@example.net.' })
  const { extra, ...lines } = given
  faults.push(...characterFaults(lines, ''), ...characterFaults(extra, '/extra'))
  // A token of EPP (RFC 5733 §4): one space at a time.
  const postalCode = given.postalCode.replaceAll(/ +/g, ' ')
  return { details: { ...given, phone: phone ?? given.phone, country, postalCode }, faults }
}

/** Characters that nobody sees: registries refuse some of them, and people would read others wrongly. */
function characterFaults(lines: Readonly<Record<string, string>>, place: string): FaultDetail[] {
  return Object.entries(lines).flatMap(([field, value]) => {
    const message = displayFault(field) ?? displayFault(value)
    return message === undefined
      ? []
      : [{ path: `${place}/${wireNames[field] ?? field}`, code: 'bad_character', message }]
  })
}

/** What a TLD's own fields lack. */
export function faultsForTld(
  extra: Readonly<Record<string, string>>,
  fields: readonly ContactFieldSetting[],
): FaultDetail[] {
  return fields.flatMap(({ name, label, required, pattern, values }) => {
    const fault = (message: string): FaultDetail[] => [{ path: `/extra/${name}`, code: 'bad_extra', message }]
    const value = extra[name] ?? ''
    if (value === '') return required ? fault(`${label}: this TLD wants it.`) : []
    if (values !== null && !values.includes(value)) return fault(`${label}: one of ${values.join(', ')}.`)
    if (pattern !== null && !new RegExp(`^(?:${pattern})$`, 'u').test(value))
      return fault(`${label}: it is not of that form.`)
    return []
  })
}

const wireNames: Readonly<Record<string, string>> = { postalCode: 'postal_code' }

/** E.164 of a number that exists as a plan of its country has it; undefined of anything else. */
function phoneOf(text: string): string | undefined {
  if (!text.startsWith('+')) return undefined
  try {
    const phone = parsePhoneNumberWithError(text)
    return phone.isValid() ? phone.number : undefined
  } catch {
    return undefined
  }
}

/** As EPP takes it (RFC 5733): one @, a host name behind it, nothing that ends a line or an element. */
function isAddress(text: string): boolean {
  return /^[^\s@<>"&]{1,64}@(?=.{4,253}$)([a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/i.test(text)
}
