import { isIPv4 } from 'node:net'
import { ipv6ToText, isMappedIpv4, parseIpv6 } from '@zonewright/dns'

/**
 * The network that an address is counted for: an IPv4 address itself, and the /64 of an IPv6 address, because whoever has one address of it
 * has all 2^64 (RFC 4291 §2.5.4). An IPv4-mapped address counts as the IPv4 address; what is no address at all, as its first 45 characters.
 */
export function networkOf(address: string): string {
  if (isIPv4(address)) return address
  const bytes = parseIpv6(address.split('%', 1)[0] ?? '')
  if (bytes === undefined) return address.slice(0, 45)
  if (isMappedIpv4(bytes)) return bytes.subarray(12).join('.')
  return `${ipv6ToText(bytes.fill(0, 8))}/64`
}
