import type { ObjectCommands } from '@zonewright/epp'
import type { HostInfo, RegistryHosts } from '#ports/registry.ts'
import { ask, needed, nothing, transform } from './ask.ts'
import { hostName } from './domain-info.ts'
import type { SessionPool } from './session-pool.ts'

/** The registry's hosts over EPP (RFC 5732). */
export function hostsBy(pool: SessionPool): RegistryHosts {
  return {
    create: ({ name, addresses }, clTrid) =>
      transform(
        pool,
        () => ({ kind: 'host:create', body: { name, addresses: addressesOf(addresses) }, extensions: {}, clTrid }),
        nothing,
      ),
    info: (name) =>
      ask(
        pool,
        (_, clTrid) => ({ kind: 'host:info', body: { name }, extensions: {}, clTrid }),
        ({ data }): HostInfo => {
          const info = needed(data['host:infData'], 'host:infData')
          return {
            name: hostName(info.name),
            addresses: info.addresses.map(({ address }) => address),
            roid: info.roid,
            statuses: info.statuses,
            sponsor: info.clId,
          }
        },
      ),
    update: (name, { addresses: { add, remove } }, clTrid) =>
      transform(
        pool,
        () => ({
          kind: 'host:update',
          body: {
            name,
            ...(add.length > 0 && { add: { addresses: addressesOf(add), statuses: [] } }),
            ...(remove.length > 0 && { remove: { addresses: addressesOf(remove), statuses: [] } }),
          },
          extensions: {},
          clTrid,
        }),
        nothing,
      ),
    delete: (name, clTrid) =>
      transform(pool, () => ({ kind: 'host:delete', body: { name }, extensions: {}, clTrid }), nothing),
  }
}

function addressesOf(addresses: readonly string[]): ObjectCommands['host:create']['addresses'] {
  return addresses.map((address) => ({ address, version: address.includes(':') ? 'v6' : 'v4' }))
}
