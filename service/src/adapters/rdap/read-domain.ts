import { asName, isHostName } from '@zonewright/dns'
import type { RegistryEntry } from '#ports/registry-lookup.ts'

/** More of them no registry keeps (13 is what EPP registries allow). */
const maxNameservers = 50

/** Reads a domain as RDAP has it (RFC 9083 §5.3); undefined when it is none, or another's. */
export function readDomain(body: unknown, domain: string): RegistryEntry | undefined {
  if (!isObject(body) || body['objectClassName'] !== 'domain' || hostName(body['ldhName']) !== domain) return undefined
  const nameservers = arrayIn(body['nameservers']).map((each) =>
    isObject(each) ? hostName(each['ldhName']) : undefined,
  )
  if (nameservers.length > maxNameservers || nameservers.includes(undefined)) return undefined
  return { nameservers: [...new Set(nameservers as string[])].sort(), expiresAt: expiryIn(arrayIn(body['events'])) }
}

/** The date of the event, when it is one (RFC 3339): a year of five digits fits no database. */
function expiryIn(events: readonly unknown[]): Date | null {
  const expiration = events.find((event) => isObject(event) && event['eventAction'] === 'expiration')
  const text = isObject(expiration) ? expiration['eventDate'] : undefined
  if (typeof text !== 'string' || !/^\d{4}-\d\d-\d\d/.test(text)) return null
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? null : date
}

/** In the form in which we keep host names; undefined when it is none. */
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
