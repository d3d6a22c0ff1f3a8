import { isIPv4, isIPv6 } from 'node:net'
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import { addressView } from '../address.ts'
import { type Endpoint, endpointToText } from '../endpoint.ts'
import { StartupFault } from '../startup-fault.ts'

/** The addresses of a machine by interface, as `os.networkInterfaces()` returns them. */
export type Interfaces = NodeJS.Dict<Pick<NetworkInterfaceInfo, 'address'>[]>

/**
 * The endpoints with `0.0.0.0` and `[::]` replaced by all addresses of the machine, IPv4 or IPv6, without duplicates.
 *
 * An answer must leave from the address that was queried, which only a socket of that address ensures. Only the current addresses are bound. An
 * address that is added later needs a restart. Link-local IPv6 addresses are left out, because they mean nothing without their interface.
 *
 * @throws StartupFault if the machine has no address of that family.
 */
export function expandWildcards(
  endpoints: readonly Endpoint[],
  interfaces: Interfaces = networkInterfaces(),
): Endpoint[] {
  const expanded = new Map<string, Endpoint>()
  for (const endpoint of endpoints) {
    for (const one of isWildcard(endpoint.host) ? everyAddress(endpoint, interfaces) : [endpoint]) {
      // Two free ports are two endpoints, even on one address.
      expanded.set(one.port === 0 ? `${expanded.size}` : endpointToText(one), one)
    }
  }
  return [...expanded.values()]
}

function isWildcard(host: string): boolean {
  const address = addressView(host)
  return new Uint8Array(address.buffer, 0, address.byteLength).every((byte) => byte === 0)
}

function everyAddress(endpoint: Endpoint, interfaces: Interfaces): Endpoint[] {
  const isOfFamily = isIPv6(endpoint.host) ? isListenableIpv6 : isIPv4
  const addresses = Object.values(interfaces).flatMap((infos) => infos?.map(({ address }) => address) ?? [])
  const found = addresses.filter(isOfFamily).map((host) => ({ host, port: endpoint.port }))
  if (found.length > 0) return found
  throw new StartupFault(`--listen ${endpointToText(endpoint)}: this machine has no such address`)
}

/** All but `fe80::/10`, with a zone index or without. */
function isListenableIpv6(address: string): boolean {
  return isIPv6(address) && (addressView(address).getUint16(0) & 0xffc0) !== 0xfe80
}
