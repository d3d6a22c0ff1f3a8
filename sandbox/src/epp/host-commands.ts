import { isIPv4, isIPv6 } from 'node:net'
import type { ObjectCommands } from '@zonewright/epp'
import type { Host } from './objects.ts'
import type { Registry } from './registry.ts'
import { RefusedCommand, type Reply } from './reply.ts'

/** RFC 5732 §3.1.1. */
export function checkHosts(registry: Registry, { ids }: ObjectCommands['host:check']): Reply {
  const items = ids.map((id) => ({ id, isAvailable: registry.store.get('host', id.toLowerCase()) === undefined }))
  return { code: 1000, data: { 'host:chkData': { items } } }
}

/** RFC 5732 §3.2.1: only the sponsor of a domain of the registry can create hosts below it, with addresses. Other hosts have none. */
export function createHost(registry: Registry, registrar: string, body: ObjectCommands['host:create']): Reply {
  const name = registry.names.host(body.name)
  if (registry.store.get('host', name) !== undefined) throw new RefusedCommand(2302, `${name} exists`)
  const above = registry.names.domainAbove(name)
  if (above !== undefined) registry.sponsored(above, registrar)
  refuseAddresses(name, above, body.addresses)
  const createdAt = registry.now()
  const roid = `H${registry.store.next()}-SANDBOX`
  registry.store.put('host', name, { name, roid, sponsor: registrar, createdAt, addresses: body.addresses })
  registry.setHost(name)
  return { code: 1000, data: { 'host:creData': { name, crDate: new Date(createdAt) } } }
}

/** RFC 5732 §3.1.2. */
export function infoOfHost(registry: Registry, body: ObjectCommands['host:info']): Reply {
  const { name, roid, sponsor, createdAt, updatedAt, addresses } = existing(registry, body.name)
  return {
    code: 1000,
    data: {
      'host:infData': {
        name,
        roid,
        statuses: isLinked(registry, name) ? ['ok', 'linked'] : ['ok'],
        addresses,
        clId: sponsor,
        crId: sponsor,
        crDate: new Date(createdAt),
        ...(updatedAt !== undefined && { upId: sponsor, upDate: new Date(updatedAt) }),
      },
    },
  }
}

/** RFC 5732 §3.2.5, without renaming. */
export function updateHost(registry: Registry, registrar: string, body: ObjectCommands['host:update']): Reply {
  const host = sponsored(registry, registrar, body.name)
  if (body.change !== undefined) throw new RefusedCommand(2102, 'Hosts keep their names here')
  const removed = new Set(body.remove?.addresses.map(({ address }) => address))
  const left = host.addresses.filter(({ address }) => !removed.delete(address))
  if (removed.size > 0) throw new RefusedCommand(2306, `${[...removed][0]} is not there to be removed`)
  const addresses = [...left, ...(body.add?.addresses ?? [])]
  refuseAddresses(host.name, registry.names.domainAbove(host.name), addresses)
  registry.store.put('host', host.name, { ...host, addresses, updatedAt: registry.now() })
  registry.setHost(host.name)
  return { code: 1000 }
}

/** RFC 5732 §3.2.2. */
export function deleteHost(registry: Registry, registrar: string, body: ObjectCommands['host:delete']): Reply {
  const { name } = sponsored(registry, registrar, body.name)
  if (isLinked(registry, name)) throw new RefusedCommand(2305, `A domain has ${name}`)
  registry.store.remove('host', name)
  registry.setHost(name)
  return { code: 1000 }
}

function existing(registry: Registry, name: string): Host {
  const host = registry.store.get('host', name.toLowerCase())
  if (host === undefined) throw new RefusedCommand(2303, `There is no host ${name}`)
  return host
}

/** A host below a domain belongs to the domain's registrar, also after a transfer. */
function sponsored(registry: Registry, registrar: string, name: string): Host {
  const host = existing(registry, name)
  const above = registry.names.domainAbove(host.name)
  if (above !== undefined) registry.sponsored(above, registrar)
  else if (host.sponsor !== registrar) throw new RefusedCommand(2201, `${host.name} is with another registrar`)
  return host
}

function isLinked(registry: Registry, name: string): boolean {
  for (const { nameservers } of registry.store.all('domain')) if (nameservers.includes(name)) return true
  return false
}

function refuseAddresses(name: string, above: string | undefined, addresses: Host['addresses']): void {
  if (above === undefined && addresses.length > 0)
    throw new RefusedCommand(2306, `The addresses of ${name} are not in this registry`)
  if (above !== undefined && addresses.length === 0) throw new RefusedCommand(2003, `${name} needs an address`)
  const seen = new Set<string>()
  for (const { address, version } of addresses) {
    if (!(version === 'v4' ? isIPv4(address) : isIPv6(address))) throw new RefusedCommand(2005, `${address} is none`)
    if (seen.has(address)) throw new RefusedCommand(2306, `${address} appears twice`)
    seen.add(address)
  }
}
