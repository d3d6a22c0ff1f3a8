import { isIPv4 } from 'node:net'
import { displayQuoted } from '@zonewright/contract'
import { ipv6ToText, isMappedIpv4, parseIpv6 } from '@zonewright/dns'
import { firstCharacters } from '#platform/bounded-text.ts'
import type { FaultDetail } from '#platform/errors.ts'

/** A network: its address in bytes, and the number of leading bits that its addresses share. */
interface Network {
  readonly bytes: Uint8Array
  readonly bits: number
}

/**
 * Reads the networks from which a key can be used, in canonical form and without repetitions: 203.0.113.0/24, 2001:db8::/32. A single address becomes
 * a network of its own. An IPv4-mapped network becomes the IPv4 network (RFC 4291 §2.5.5.2). Errors have their place below `/addresses`.
 */
export function readNetworks(texts: readonly string[]): { networks: string[]; faults: FaultDetail[] } {
  const networks = new Set<string>()
  const faults: FaultDetail[] = []
  for (const [i, text] of texts.entries()) {
    const network = parseNetwork(text)
    const whole = network && textOf({ ...network, bytes: masked(network) })
    if (network && whole === textOf(network)) networks.add(whole)
    else faults.push({ path: `/addresses/${i}`, code: 'bad_address', message: faultOf(text, whole) })
  }
  return { networks: [...networks], faults }
}

function faultOf(text: string, whole: string | undefined): string {
  const quoted = displayQuoted(firstCharacters(text))
  return whole === undefined
    ? `${quoted} is not an IP address or a network, such as 203.0.113.9 or 2001:db8::/32.`
    : `${quoted} is an address in a network. Write the network as ${whole}, or the address without a prefix length.`
}

/** Whether an address of a client is in one of the networks. */
export function isInNetworks(networks: readonly string[], address: string): boolean {
  const bytes = bytesOf(address.split('%', 1)[0] ?? '')
  if (bytes === undefined) return false
  return networks.some((text) => {
    const network = parseNetwork(text)
    return network?.bytes.length === bytes.length && equal(masked({ ...network, bytes }), network.bytes)
  })
}

/** An address as people write it: an IPv4-mapped address as IPv4. */
export function plainAddress(address: string): string {
  const bytes = bytesOf(address)
  return bytes?.length === 4 ? bytes.join('.') : address
}

function parseNetwork(text: string): Network | undefined {
  const [, address = '', prefix] = /^([^/]*)(?:\/(0|[1-9]\d{0,2}))?$/.exec(text) ?? []
  const isMapped = parseIpv6(address) !== undefined && bytesOf(address)?.length === 4
  // With fewer bits, an IPv4-mapped network would contain addresses that are not mapped.
  const bytes = isMapped && prefix !== undefined && Number(prefix) < mappedBits ? parseIpv6(address) : bytesOf(address)
  if (bytes === undefined) return undefined
  const most = bytes.length * 8
  const bits = prefix === undefined ? most : Number(prefix) - (isMapped && most === 32 ? mappedBits : 0)
  return bits > most ? undefined : { bytes, bits }
}

/** The leading bits of an IPv4-mapped address. */
const mappedBits = 96

/** The bytes of an address: 4 for IPv4, also if it is mapped, and 16 for IPv6. */
function bytesOf(address: string): Uint8Array | undefined {
  if (isIPv4(address)) return Uint8Array.from(address.split('.'), Number)
  const bytes = parseIpv6(address)
  return bytes && isMappedIpv4(bytes) ? bytes.slice(12) : bytes
}

/** The address of a network, whose remaining bits are 0. */
function masked({ bytes, bits }: Network): Uint8Array {
  return bytes.map((byte, i) => byte & (0xff << Math.max(0, Math.min(8, (i + 1) * 8 - bits))))
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  return a.every((byte, i) => byte === b[i])
}

function textOf({ bytes, bits }: Network): string {
  return `${bytes.length === 4 ? bytes.join('.') : ipv6ToText(bytes)}/${bits}`
}
