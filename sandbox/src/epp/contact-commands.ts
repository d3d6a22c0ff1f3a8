import type { ObjectCommands, ResponseData } from '@zonewright/epp'
import type { Contact } from './objects.ts'
import type { Registry } from './registry.ts'
import { RefusedCommand, type Reply } from './reply.ts'

type Create = ObjectCommands['contact:create']

/** RFC 5733 §3.1.1. */
export function checkContacts(registry: Registry, { ids }: ObjectCommands['contact:check']): Reply {
  const items = ids.map((id) => ({ id, isAvailable: registry.store.get('contact', id) === undefined }))
  return { code: 1000, data: { 'contact:chkData': { items } } }
}

/** RFC 5733 §3.2.1. */
export function createContact(registry: Registry, registrar: string, { id, ...data }: Create): Reply {
  if (registry.store.get('contact', id) !== undefined) throw new RefusedCommand(2302, `${id} exists`)
  refuseForeign(data.postal)
  refuseEmail(data.email)
  const createdAt = registry.now()
  const roid = `C${registry.store.next()}-SANDBOX`
  registry.store.put('contact', id, { id, roid, sponsor: registrar, createdAt, data })
  return { code: 1000, data: { 'contact:creData': { id, crDate: new Date(createdAt) } } }
}

/** RFC 5733 §3.1.2. */
export function infoOfContact(registry: Registry, registrar: string, { id }: ObjectCommands['contact:info']): Reply {
  const contact = sponsored(registry, registrar, id)
  return { code: 1000, data: { 'contact:infData': dataOf(registry, contact) } }
}

/** RFC 5733 §3.2.5. */
export function updateContact(
  registry: Registry,
  registrar: string,
  { id, change, add, remove }: ObjectCommands['contact:update'],
): Reply {
  const contact = sponsored(registry, registrar, id)
  if (add !== undefined || remove !== undefined) throw new RefusedCommand(2102, 'Contacts have no statuses of yours')
  const { postal = [], ...members } = change ?? {}
  const data = contact.data as unknown as Omit<Create, 'id'>
  const kept = data.postal.filter(({ type }) => postal.every((changed) => changed.type !== type))
  const changed = postal.map((each) => ({ ...data.postal.find(({ type }) => type === each.type), ...each }))
  const whole = changed.map((each) => {
    if (each.name === undefined || each.address === undefined)
      throw new RefusedCommand(2003, 'A new form of the address must be whole')
    return { ...each, name: each.name, address: each.address }
  })
  refuseForeign(whole)
  const next = { ...data, ...members, postal: postal.length > 0 ? [...kept, ...whole].slice(0, 2) : data.postal }
  refuseEmail(next.email)
  registry.store.put('contact', id, { ...contact, updatedAt: registry.now(), data: next })
  return { code: 1000 }
}

/** RFC 5733 §3.2.2. */
export function deleteContact(registry: Registry, registrar: string, { id }: ObjectCommands['contact:delete']): Reply {
  sponsored(registry, registrar, id)
  if (isLinked(registry, id)) throw new RefusedCommand(2305, `A domain has ${id}`)
  registry.store.remove('contact', id)
  return { code: 1000 }
}

function dataOf(registry: Registry, contact: Contact): NonNullable<ResponseData['contact:infData']> {
  const { id, roid, sponsor, createdAt, updatedAt } = contact
  const { postal, voice, fax, email, authInfo } = contact.data as unknown as Create
  return {
    id,
    roid,
    statuses: isLinked(registry, id) ? ['ok', 'linked'] : ['ok'],
    postal,
    ...(voice && { voice }),
    ...(fax && { fax }),
    email,
    clId: sponsor,
    crId: sponsor,
    crDate: new Date(createdAt),
    ...(updatedAt !== undefined && { upId: sponsor, upDate: new Date(updatedAt) }),
    authInfo,
  }
}

function sponsored(registry: Registry, registrar: string, id: string): Contact {
  const contact = registry.store.get('contact', id)
  if (contact === undefined) throw new RefusedCommand(2303, `There is no contact ${id}`)
  if (contact.sponsor !== registrar) throw new RefusedCommand(2201, `${id} is with another registrar`)
  return contact
}

function isLinked(registry: Registry, id: string): boolean {
  for (const { registrant, contacts } of registry.store.all('domain'))
    if (registrant === id || contacts.some((contact) => contact.id === id)) return true
  return false
}

/** Email addresses must be as most registries require: ASCII, a local part of at most 64 characters, and A-labels. */
function refuseEmail(email: string): void {
  if (!/^[!-?A-~]{1,64}@([a-z0-9-]+\.)+[a-z0-9-]+$/i.test(email))
    throw new RefusedCommand(2005, `${email} is no email address`)
}

/** The international form is ASCII (RFC 5733 §2.4), and countries are two letters of ISO 3166-1. */
function refuseForeign(postal: Create['postal']): void {
  for (const { type, name, organization = '', address } of postal) {
    if (!/^[A-Z]{2}$/.test(address.country)) throw new RefusedCommand(2005, `${address.country} is no country`)
    const all = [name, organization, address.city, address.state ?? '', ...address.street].join('')
    if (type === 'int' && /[^\x20-\x7e]/.test(all)) throw new RefusedCommand(2005, 'The international form is in ASCII')
  }
}
