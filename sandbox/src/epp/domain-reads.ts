import type { CommandExtensions, ObjectCommands, ResponseData } from '@zonewright/epp'
import { graceStatusOf, statusesOf } from './life.ts'
import type { Domain } from './objects.ts'
import { currency, feeItems } from './prices.ts'
import type { Registry } from './registry.ts'
import { RefusedCommand, type Reply } from './reply.ts'

/** RFC 5731 §3.1.1, with prices if they are requested. */
export function checkDomains(
  registry: Registry,
  { ids }: ObjectCommands['domain:check'],
  extensions: CommandExtensions,
): Reply {
  const items = ids.map((id) => {
    const reason = unavailability(registry, id)
    return reason === undefined ? { id, isAvailable: true } : { id, isAvailable: false, reason }
  })
  const asked = extensions['fee:check']
  if (asked?.currency !== undefined && asked.currency !== currency)
    throw new RefusedCommand(2004, `Fees are in ${currency}`)
  return {
    code: 1000,
    data: { 'domain:chkData': { items } },
    ...(asked && { extensions: { 'fee:chkData': { currency, items: feeItems(ids, asked) } } }),
  }
}

/** Why no one can register a name now. */
function unavailability(registry: Registry, id: string): string | undefined {
  const found = registry.names.domain(id)
  if ('reason' in found) return found.reason.slice(0, 32)
  if (registry.domain(found.name) !== undefined || registry.isDelegatedByHand(found.name)) return 'In use'
  return undefined
}

/** RFC 5731 §3.1.2: the sponsor, and clients with the authInfo, see all data. */
export function infoOfDomain(registry: Registry, registrar: string, body: ObjectCommands['domain:info']): Reply {
  const domain = registry.existing(body.name.name)
  if (body.authInfo !== undefined && body.authInfo !== domain.authInfo)
    throw new RefusedCommand(2202, 'The authInfo is another')
  const isOpen = domain.sponsor === registrar || body.authInfo !== undefined
  const grace = graceStatusOf(domain, registry.now())
  const data = isOpen ? wholeData(registry, domain, registrar, body.name.hosts) : publicData(registry, domain)
  return {
    code: 1000,
    data: { 'domain:infData': data },
    extensions: {
      ...(isOpen && domain.ds.length > 0 && { 'secDNS:infData': { ds: domain.ds, keys: [] } }),
      ...(isOpen && grace !== undefined && { 'rgp:infData': { statuses: [grace] } }),
    },
  }
}

type InfoData = NonNullable<ResponseData['domain:infData']>

function publicData(registry: Registry, domain: Domain): InfoData {
  const { name, roid, sponsor } = domain
  return { name, roid, statuses: statusesOf(domain, registry.now()), contacts: [], hosts: [], clId: sponsor }
}

export function wholeData(
  registry: Registry,
  domain: Domain,
  registrar: string,
  hosts: 'all' | 'del' | 'sub' | 'none' = 'all',
): InfoData {
  const { nameservers, registrant, contacts, creator, updater, updatedAt, transferredAt, authInfo } = domain
  const told = hosts === 'all' || hosts === 'del' ? nameservers : []
  return {
    ...publicData(registry, domain),
    ...(registrant !== undefined && { registrant }),
    contacts,
    ...(told.length > 0 && { nameservers: { form: 'objects', hosts: told } }),
    hosts: hosts === 'all' || hosts === 'sub' ? registry.hostsOf(domain.name) : [],
    crId: creator,
    crDate: new Date(domain.createdAt),
    ...(updater !== undefined && { upId: updater }),
    ...(updatedAt !== undefined && { upDate: new Date(updatedAt) }),
    exDate: new Date(domain.expiresAt),
    ...(transferredAt !== undefined && { trDate: new Date(transferredAt) }),
    ...(authInfo !== null && domain.sponsor === registrar && { authInfo }),
  }
}
