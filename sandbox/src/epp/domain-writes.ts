import type { CommandExtensions, ObjectCommands, ResponseExtensions } from '@zonewright/epp'
import { isInAddPeriod, longestYears, redemptionMs, statusesOf, yearsAfter } from './life.ts'
import type { Domain } from './objects.ts'
import { agreedPrice, amountOf, currency, priceOf } from './prices.ts'
import type { Registry } from './registry.ts'
import { RefusedCommand, type Reply } from './reply.ts'

/** RFC 5731 §3.2.1. */
export function createDomain(
  registry: Registry,
  registrar: string,
  body: ObjectCommands['domain:create'],
  extensions: CommandExtensions,
): Reply {
  const found = registry.names.domain(body.name)
  if ('reason' in found) throw new RefusedCommand(found.code, found.reason)
  if (registry.domain(found.name) !== undefined || registry.isDelegatedByHand(found.name))
    throw new RefusedCommand(2302, `${found.name} is registered`)
  const years = yearsOf(body.period)
  if (body.registrant === undefined) throw new RefusedCommand(2003, 'A registrant is needed')
  refuseUnknownContacts(registry, [{ id: body.registrant }, ...body.contacts])
  const authInfo = checkedAuthInfo(body.authInfo)
  const now = registry.now()
  const domain: Domain = {
    name: found.name,
    roid: `D${registry.store.next()}-SANDBOX`,
    sponsor: registrar,
    creator: registrar,
    createdAt: now,
    expiresAt: yearsAfter(now, years),
    registrant: body.registrant,
    contacts: body.contacts,
    nameservers: hostsOf(registry, body.nameservers),
    ds: extensions['secDNS:create']?.ds ?? [],
    clientStatuses: [],
    authInfo,
  }
  const price = agreedPrice('create', domain.name, years, extensions['fee:create'])
  registry.charge(registrar, price)
  registry.keep(domain)
  const data = { name: domain.name, crDate: new Date(now), exDate: new Date(domain.expiresAt) }
  return {
    code: 1000,
    data: { 'domain:creData': data },
    extensions: { 'fee:creData': charged(registry, registrar, price) },
  }
}

/** RFC 5731 §3.2.3. */
export function renewDomain(
  registry: Registry,
  registrar: string,
  body: ObjectCommands['domain:renew'],
  extensions: CommandExtensions,
): Reply {
  const domain = registry.sponsored(body.name, registrar)
  refuseStatuses(registry, domain, ['clientRenewProhibited', 'pendingDelete', 'pendingTransfer', 'pendingRenew'])
  if (dayOf(domain.expiresAt) !== dayOf(body.currentExpiry.getTime()))
    throw new RefusedCommand(2306, `The expiry is ${dayOf(domain.expiresAt)}`)
  const years = yearsOf(body.period)
  const expiresAt = yearsAfter(domain.expiresAt, years)
  if (expiresAt > yearsAfter(registry.now(), longestYears))
    throw new RefusedCommand(2105, `No registration ends more than ${longestYears} years ahead`)
  const price = agreedPrice('renew', domain.name, years, extensions['fee:renew'])
  registry.charge(registrar, price)
  registry.keep({ ...domain, expiresAt, renewedAt: registry.now() })
  const data = { name: domain.name, exDate: new Date(expiresAt) }
  return {
    code: 1000,
    data: { 'domain:renData': data },
    extensions: { 'fee:renData': charged(registry, registrar, price) },
  }
}

/** RFC 5731 §3.2.5; with the extensions RFC 3915 (restore) and RFC 5910 (DNSSEC data of the delegation). */
export function updateDomain(
  registry: Registry,
  registrar: string,
  body: ObjectCommands['domain:update'],
  extensions: CommandExtensions,
): Reply {
  const domain = registry.sponsored(body.name, registrar)
  const restore = extensions['rgp:update']
  if (restore !== undefined) return restoreDomain(registry, domain, restore, extensions['fee:update'])
  refuseStatuses(registry, domain, ['pendingDelete', 'pendingTransfer', 'pendingUpdate'])
  if (!onlyUnlocks(body)) refuseStatuses(registry, domain, ['clientUpdateProhibited'])
  registry.keep(changed(registry, registrar, domain, body, extensions['secDNS:update']))
  return { code: 1000 }
}

/** While updates are prohibited, the only accepted update is one that removes the prohibition (RFC 5731 §2.3). */
function onlyUnlocks({ add, remove, change }: ObjectCommands['domain:update']): boolean {
  if (add !== undefined || change !== undefined || remove === undefined) return false
  const { nameservers, contacts, statuses } = remove
  return nameservers === undefined && contacts.length === 0 && statuses.includes('clientUpdateProhibited')
}

function changed(
  registry: Registry,
  registrar: string,
  domain: Domain,
  { add, remove, change }: ObjectCommands['domain:update'],
  signer: CommandExtensions['secDNS:update'],
): Domain {
  for (const status of [...(add?.statuses ?? []), ...(remove?.statuses ?? [])])
    if (!status.startsWith('client')) throw new RefusedCommand(2306, `${status} is the registry's`)
  refuseUnknownContacts(registry, add?.contacts ?? [])
  const nameservers = edited(domain.nameservers, hostsOf(registry, add?.nameservers), namesOf(remove?.nameservers))
  if (nameservers.length > 13) throw new RefusedCommand(2308, 'At most 13 nameservers are allowed')
  const byKey = (contacts: Domain['contacts'] = []) => contacts.map(({ type, id }) => `${type} ${id}`)
  const contacts = edited(byKey(domain.contacts), byKey(add?.contacts), byKey(remove?.contacts))
  if (change?.registrant !== undefined) refuseUnknownContacts(registry, [{ id: change.registrant }])
  const authInfo = change?.authInfo
  return {
    ...domain,
    updater: registrar,
    updatedAt: registry.now(),
    nameservers,
    clientStatuses: edited(domain.clientStatuses, add?.statuses ?? [], remove?.statuses ?? []),
    contacts: contacts.map((key) => {
      const [type = '', id = ''] = key.split(' ')
      return { type: type as 'admin', id }
    }),
    ds: signer === undefined ? domain.ds : editedSigner(domain.ds, signer),
    ...(change?.registrant !== undefined && { registrant: change.registrant }),
    ...(authInfo !== undefined && { authInfo: authInfo === null ? null : checkedAuthInfo(authInfo) }),
  }
}

function editedSigner(
  ds: Domain['ds'],
  { add, remove }: NonNullable<CommandExtensions['secDNS:update']>,
): Domain['ds'] {
  const texts = (records: Domain['ds'] = []) =>
    records.map(({ keyTag, algorithm, digestType, digest }) => `${keyTag} ${algorithm} ${digestType} ${digest}`)
  const left = remove?.all ? [] : edited(texts(ds), [], texts(remove?.ds))
  return edited(left, texts(add?.ds), []).map((text) => {
    const [keyTag, algorithm, digestType, digest = ''] = text.split(' ')
    return { keyTag: Number(keyTag), algorithm: Number(algorithm), digestType: Number(digestType), digest }
  })
}

/** RFC 3915 §4.2.5. */
function restoreDomain(
  registry: Registry,
  domain: Domain,
  { op, report }: NonNullable<CommandExtensions['rgp:update']>,
  agreed: CommandExtensions['fee:update'],
): Reply {
  const now = registry.now()
  if (op === 'request') {
    if (domain.deletedAt === undefined || domain.restoreAskedAt !== undefined || now >= domain.deletedAt + redemptionMs)
      throw new RefusedCommand(2304, `${domain.name} is not in its redemption period`)
    const price = agreedPrice('restore', domain.name, 1, agreed)
    registry.charge(domain.sponsor, price)
    registry.keep({ ...domain, restoreAskedAt: now })
    return {
      code: 1000,
      extensions: {
        'rgp:upData': { statuses: ['pendingRestore'] },
        'fee:updData': charged(registry, domain.sponsor, price),
      },
    }
  }
  if (domain.restoreAskedAt === undefined) throw new RefusedCommand(2304, `${domain.name} is not being restored`)
  if (report === undefined) throw new RefusedCommand(2003, 'The report is missing')
  const { restoreAskedAt: _, deletedAt: __, ...restored } = domain
  // A domain that has expired in the meantime is renewed for a year. Otherwise, it would be deleted again immediately.
  const expiresAt = now < domain.expiresAt ? domain.expiresAt : yearsAfter(domain.expiresAt, 1)
  registry.keep({ ...restored, expiresAt, updatedAt: now })
  return { code: 1000 }
}

/** RFC 5731 §3.2.2. */
export function deleteDomain(registry: Registry, registrar: string, { name }: ObjectCommands['domain:delete']): Reply {
  const domain = registry.sponsored(name, registrar)
  refuseStatuses(registry, domain, ['clientDeleteProhibited', 'pendingDelete', 'pendingTransfer'])
  const own = new Set(registry.hostsOf(domain.name))
  for (const other of registry.store.all('domain'))
    if (other.name !== domain.name && other.nameservers.some((host) => own.has(host)))
      throw new RefusedCommand(2305, `${other.name} has a host of ${domain.name} as a nameserver`)
  const now = registry.now()
  if (!isInAddPeriod(domain, now)) {
    registry.keep({ ...domain, deletedAt: now, updater: registrar, updatedAt: now })
    return { code: 1000 }
  }
  const years = Math.round((domain.expiresAt - domain.createdAt) / (365.25 * 86_400_000))
  registry.charge(registrar, -priceOf('create', domain.name, years))
  registry.purge(domain)
  return { code: 1000 }
}

export function charged(
  registry: Registry,
  registrar: string,
  kobo: number,
): NonNullable<ResponseExtensions['fee:creData']> {
  return { currency, fees: [{ amount: amountOf(kobo) }], credits: [], balance: registry.balanceOf(registrar) }
}

export function yearsOf(period: { readonly unit: 'y' | 'm'; readonly length: number } | undefined): number {
  const { unit, length } = period ?? { unit: 'y', length: 1 }
  if (unit !== 'y' || length > longestYears)
    throw new RefusedCommand(2004, `Registrations are for 1 to ${longestYears} years`)
  return length
}

/** 2304 if the domain has one of these statuses. */
export function refuseStatuses(registry: Registry, domain: Domain, statuses: readonly string[]): void {
  const [status] = statusesOf(domain, registry.now()).filter((each) => statuses.includes(each))
  if (status !== undefined) throw new RefusedCommand(2304, `${domain.name} is ${status}`)
}

/** The list after removing and adding entries; 2306 if an entry to remove is missing, or an entry to add exists. */
function edited(list: readonly string[], added: readonly string[], removed: readonly string[]): string[] {
  const absent = removed.find((each) => !list.includes(each))
  if (absent !== undefined) throw new RefusedCommand(2306, `${absent} is not there to be removed`)
  const left = list.filter((each) => !removed.includes(each))
  const present = added.find((each) => left.includes(each))
  if (present !== undefined) throw new RefusedCommand(2306, `${present} is there already`)
  return [...left, ...added]
}

type Nameservers = ObjectCommands['domain:create']['nameservers']

/** 2303 for hosts that do not exist. */
function hostsOf(registry: Registry, nameservers: Nameservers): string[] {
  const names = namesOf(nameservers)
  const unknown = names.find((name) => registry.store.get('host', name) === undefined)
  if (unknown !== undefined) throw new RefusedCommand(2303, `There is no host ${unknown}`)
  return [...new Set(names)]
}

function namesOf(nameservers: Nameservers): string[] {
  if (nameservers === undefined) return []
  if (nameservers.form === 'attributes') throw new RefusedCommand(2102, 'Nameservers are hosts of their own here')
  return nameservers.hosts.map((host) => host.toLowerCase())
}

function refuseUnknownContacts(registry: Registry, contacts: readonly { readonly id: string }[]): void {
  const unknown = contacts.find(({ id }) => registry.store.get('contact', id) === undefined)
  if (unknown !== undefined) throw new RefusedCommand(2303, `There is no contact ${unknown.id}`)
}

function checkedAuthInfo(authInfo: string): string {
  if (authInfo.length < 8 || authInfo.length > 32) throw new RefusedCommand(2306, 'An authInfo has 8 to 32 characters')
  return authInfo
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
