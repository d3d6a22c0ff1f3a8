import { isIP } from 'node:net'
import { isLocalHost } from '@zonewright/dns'
import ipaddr from 'ipaddr.js'

/** Whole blocks that no webhook is sent to (design: webhooks, "Where it may not go"). */
const refusedIpv4 = [
  '0.0.0.0/8', // this network, RFC 1122
  '10.0.0.0/8', // private, RFC 1918
  '100.64.0.0/10', // carriers' NAT, RFC 6598
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, clouds' metadata too, RFC 3927
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments, RFC 6890
  '192.0.2.0/24', // documentation, RFC 5737
  '192.31.196.0/24', // AS112, RFC 7535
  '192.52.193.0/24', // AMT, RFC 7450
  '192.88.99.0/24', // 6to4 relays, RFC 7526
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112, RFC 7534
  '198.18.0.0/15', // benchmarks, RFC 2544
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
].map((block) => ipaddr.IPv4.parseCIDR(block))

/** In IPv6, only global unicast is reached at all … */
const globalIpv6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** … except these blocks. */
const refusedIpv6 = [
  '2001::/23', // protocol assignments, Teredo, ORCHID, RFC 2928
  '2001:db8::/32', // documentation, RFC 3849
  '2002::/16', // 6to4: any IPv4 address inside, RFC 3056
  '3fff::/20', // documentation, RFC 9637
  '2620:4f:8000::/48', // AS112, RFC 7534
].map((block) => ipaddr.IPv6.parseCIDR(block))

/** Whether a webhook may be sent to this IP address. Accepts canonical text, as resolvers and URL parsers return it. False for anything else. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address instanceof ipaddr.IPv4) return !refusedIpv4.some((block) => address.match(block))
  return address.zoneId === undefined && address.match(globalIpv6) && !refusedIpv6.some((block) => address.match(block))
}

/**
 * The message for an address that webhooks may not be sent to. It does not say which address: with an internal resolver, that would reveal
 * the addresses of hosts in our network.
 */
export const notPublic = 'The address is not public.'

/** The parts of a URL that are needed to connect. */
export interface Target {
  readonly url: URL
  /** Without brackets and without a trailing dot. */
  readonly host: string
  readonly port: number
  /** Whether the host is an IP address rather than a name. */
  readonly literal: boolean
  /** Listed in WEBHOOK_TRUSTED_TARGETS: the guard does not check it. */
  readonly trusted: boolean
}

/**
 * Reads an endpoint's URL, or says in one sentence why no webhook is ever sent there.
 *
 * The URL parser has already turned `0x7f.1`, `2130706433` and full-width digits into 127.0.0.1. A name is not looked up here:
 * `isPublicAddress` checks its addresses.
 */
export function readTarget(text: string, trustedTargets: ReadonlySet<string>): Target | string {
  if (!URL.canParse(text)) return 'The URL cannot be read.'
  const url = new URL(text)
  if (url.protocol !== 'https:') return 'The URL must begin with https://.'
  if (url.username !== '' || url.password !== '') return 'The URL must not hold a user name or a password.'
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const port = url.port === '' ? 443 : Number(url.port)
  // Not `ipaddr.isValid`, which throws and catches an error for every name (measured: an eighth of a worker's processor time).
  const literal = isIP(host) !== 0
  const target = { url, host, port, literal, trusted: trustedTargets.has(`${url.hostname}:${port}`) }
  if (target.trusted) return target
  if (port === 0) return 'The URL must not name port 0.'
  return (literal ? isPublicAddress(host) : !isLocalHost(host)) ? target : notPublic
}
