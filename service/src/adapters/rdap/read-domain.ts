import { displayText } from '@zonewright/contract'
import { asName, isHostName } from '@zonewright/dns'
import type { Registrar, RegistryEntry } from '#ports/registry-lookup.ts'

/** No registry stores more of them (EPP registries allow 13). */
const maxNameservers = 50

/** Reads a domain in RDAP form (RFC 9083 §5.3); undefined if it is not one, or a different domain. */
export function readDomain(body: unknown, domain: string): RegistryEntry | undefined {
  if (!isObject(body) || body['objectClassName'] !== 'domain' || hostName(body['ldhName']) !== domain) return undefined
  const nameservers = arrayIn(body['nameservers']).map((each) =>
    isObject(each) ? hostName(each['ldhName']) : undefined,
  )
  if (nameservers.length > maxNameservers || nameservers.includes(undefined)) return undefined
  return {
    nameservers: [...new Set(nameservers as string[])].sort(),
    expiresAt: expiryIn(arrayIn(body['events'])),
    registrar: registrarIn(arrayIn(body['entities'])),
  }
}

/** The date of the event, if it is valid (RFC 3339). The database does not accept years of five digits. */
function expiryIn(events: readonly unknown[]): Date | null {
  const expiration = events.find((event) => isObject(event) && event['eventAction'] === 'expiration')
  const text = isObject(expiration) ? expiration['eventDate'] : undefined
  if (typeof text !== 'string' || !/^\d{4}-\d\d-\d\d/.test(text)) return null
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? null : date
}

const longest = { name: 200, url: 500 }

/** The entity with the role of the registrar (RFC 9083 §5.1); null if it has no name. */
function registrarIn(entities: readonly unknown[]): Registrar | null {
  const registrar = entities.find((entity) => isObject(entity) && arrayIn(entity['roles']).includes('registrar'))
  if (!isObject(registrar)) return null
  const card = arrayIn(arrayIn(registrar['vcardArray'])[1])
  const name = displayText(propertyOf(card, 'fn')?.trim() ?? '').slice(0, longest.name)
  if (name === '') return null
  const about = arrayIn(registrar['links']).find((link) => isObject(link) && link['rel'] === 'about')
  const urls = [isObject(about) ? about['href'] : undefined, propertyOf(card, 'url')]
  return { name: name.toWellFormed(), url: urls.map(websiteOf).find((url) => url !== null) ?? null }
}

/** The text of a property of a jCard (RFC 7095 §3.3): `["fn", {}, "text", "Example Registrar"]`. */
function propertyOf(card: readonly unknown[], name: string): string | undefined {
  const property = card.find((each) => Array.isArray(each) && each[0] === name)
  const value = arrayIn(property)[3]
  return typeof value === 'string' ? value : undefined
}

/** People will follow it: only a website, without a user name that could look like another host. */
function websiteOf(value: unknown): string | null {
  const url = typeof value === 'string' && value.length <= longest.url ? URL.parse(value) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null
  return url.href.length <= longest.url ? url.href : null
}

/** The host name in our form; undefined if it is not valid. */
function hostName(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const name = value.toLowerCase().replace(/\.$/, '')
  const parsed = asName(`${name}.`)
  return parsed !== undefined && isHostName(parsed) ? name : undefined
}

function arrayIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
