import { isIPv4 } from 'node:net'
import { ipv6ToText, isMappedIpv4, parseIpv6 } from '@zonewright/dns'

/**
 * The network whose limits apply to an address: an IPv4 address itself, or the /64 of an IPv6 address, since one customer usually has all
 * 2^64 addresses of it (RFC 4291 §2.5.4). An IPv4-mapped address is its IPv4 address. Text that is not an address is cut to 45 characters.
 */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address
  const bytes = parseIpv6(address.split('%', 1)[0] ?? '')
  if (bytes === undefined) return address.slice(0, 45)
  if (isMappedIpv4(bytes)) return bytes.subarray(12).join('.')
  return `${ipv6ToText(bytes.fill(0, 8))}/64`
}

/** The site of an address or network: one customer may have a /48 of IPv6, which is 65,536 networks (RFC 6177). For IPv4, the address itself. */
export function siteOf(address: string): string {
  const network = networkOf(address.replace(/\/64$/, ''))
  const bytes = parseIpv6(network.replace(/\/64$/, ''))
  return bytes === undefined ? network : `${ipv6ToText(bytes.fill(0, 6))}/48`
}
