import { countries, displayFault, readEmail } from '@zonewright/contract'
import { type CountryCode, isSupportedCountry, parsePhoneNumberWithError } from 'libphonenumber-js/max'
import { type FaultDetail, Refusal } from '#platform/errors.ts'
import type { TldSetting } from '#platform/settings/registries-setting.ts'

/** The registrant of a domain, or of one that is being ordered. */
export interface ContactDetails {
  readonly name: string
  readonly organization: string
  readonly email: string
  /** E.164, followed by an extension as in RFC 3966: `+12125550100;ext=12`. */
  readonly phone: string
  readonly address1: string
  readonly address2: string
  readonly city: string
  readonly state: string
  readonly postalCode: string
  /** ISO 3166-1, two upper-case letters. */
  readonly country: string
  /** Additional fields that some TLDs require. */
  readonly extra: Readonly<Record<string, string>>
}

/** Normalizes the details, or reports every error. */
export function checkContact(given: ContactDetails): { details: ContactDetails; faults: FaultDetail[] } {
  const faults: FaultDetail[] = []
  const country = given.country.toUpperCase()
  const phone = phoneOf(given.phone, country)
  if (phone === undefined) faults.push({ path: '/phone', code: 'bad_phone', message: phoneFault(given.phone, country) })
  if (!countries.has(country))
    faults.push({
      path: '/country',
      code: 'bad_country',
      message: 'This is not a country code. Use two letters (ISO 3166-1), such as NG.',
    })
  const email = readEmail(given.email)
  if (email.fault !== undefined) faults.push({ path: '/email', code: 'bad_email', message: email.fault })
  const { extra, ...lines } = given
  faults.push(...characterFaults(lines, ''), ...characterFaults(extra, '/extra'))
  // EPP requires a token (RFC 5733 §4), so runs of spaces become one space.
  const postalCode = given.postalCode.replaceAll(/ +/g, ' ')
  return {
    details: { ...given, email: email.address ?? given.email, phone: phone ?? given.phone, country, postalCode },
    faults,
  }
}

/** Errors for control, bidirectional and invisible characters. Registries refuse some of them, and others disguise what the text says. */
function characterFaults(lines: Readonly<Record<string, string>>, place: string): FaultDetail[] {
  return Object.entries(lines).flatMap(([field, value]) => {
    const message = displayFault(field) ?? displayFault(value)
    return message === undefined
      ? []
      : [{ path: `${place}/${wireNames[field] ?? field}`, code: 'bad_character', message }]
  })
}

/**
 * Refuses a stored contact that a TLD's registry would not accept.
 *
 * @throws Refusal `contact_invalid` with every error
 */
export function refuseUnfitContact(
  contact: Pick<ContactDetails, 'email' | 'extra'>,
  tld: string,
  fields: TldSetting['contactFields'],
): void {
  const details = faultsAtRegistry(contact, fields)
  if (details.length > 0)
    throw new Refusal('contact_invalid', `The contact does not meet the requirements of .${tld}.`, { details })
}

/** Errors of a stored contact at a registry: its email address may be older than the check of addresses, and the TLD may require more fields. */
export function faultsAtRegistry(
  { email, extra }: Pick<ContactDetails, 'email' | 'extra'>,
  fields: TldSetting['contactFields'],
): FaultDetail[] {
  const { fault } = readEmail(email)
  const ofEmail = fault === undefined ? [] : [{ path: '/email', code: 'bad_email', message: fault }]
  return [...ofEmail, ...faultsForTld(extra, fields)]
}

/** Missing additional fields of a TLD. */
export function faultsForTld(
  extra: Readonly<Record<string, string>>,
  fields: TldSetting['contactFields'],
): FaultDetail[] {
  return fields.flatMap(({ name, label, required, pattern, values }) => {
    const fault = (message: string): FaultDetail[] => [{ path: `/extra/${name}`, code: 'bad_extra', message }]
    const value = extra[name] ?? ''
    if (value === '') return required ? fault(`${label} is required for this TLD.`) : []
    if (values !== null && !values.includes(value)) return fault(`${label} must be one of ${values.join(', ')}.`)
    if (pattern !== null && !new RegExp(`^(?:${pattern})$`, 'u').test(value))
      return fault(`${label} has the wrong format.`)
    return []
  })
}

const wireNames: Readonly<Record<string, string>> = { postalCode: 'postal_code' }

/**
 * The canonical form of a number that is valid in its country's numbering plan; undefined for anything else. Without +, it is a number of this
 * country, as people dial it there. The whole text must be the number and its extension: nothing is dropped.
 */
function phoneOf(text: string, country: string): string | undefined {
  // Other parameters of RFC 3966 would be dropped.
  if (/;(?!ext=\d+$)/i.test(text)) return undefined
  const isNational = !text.startsWith('+')
  if (isNational && !(/^[(\d]/.test(text) && isSupportedCountry(country))) return undefined
  try {
    const options = isNational ? { extract: false, defaultCountry: country as CountryCode } : { extract: false }
    const phone = parsePhoneNumberWithError(text, options)
    if (!phone.isValid()) return undefined
    return phone.ext === undefined ? phone.number : `${phone.number};ext=${phone.ext}`
  } catch {
    return undefined
  }
}

function phoneFault(text: string, country: string): string {
  const withCode = 'with + and the country code, such as +2348031234567'
  if (text.startsWith('+') || !isSupportedCountry(country))
    return `This is not a valid phone number. Write it ${withCode}, and an extension as \`ext. 12\`.`
  const name = new Intl.DisplayNames('en', { type: 'region' }).of(country) ?? country
  return `This is not a valid phone number in ${name}. Write it as people dial it there, or ${withCode}, and an extension as \`ext. 12\`.`
}
