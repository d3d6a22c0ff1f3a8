import { isIPv4 } from 'node:net'
import { ipv6ToText, isMappedIpv4, parseIpv6 } from '@zonewright/dns'

/** The types of record sets that dynamic DNS changes. */
export type Family = 'A' | 'AAAA'

/** An address for a host. Only its first `bits` bits replace those of the host's addresses. If these are all bits, it replaces the addresses. */
export interface Address {
  readonly family: Family
  readonly bytes: Uint8Array
  readonly bits: number
}

/**
 * Reads an address, or one with a prefix length: `203.0.113.9`, `2001:db8::/64`. An IPv4-mapped IPv6 address is its IPv4 address. Undefined: it
 * is invalid.
 */
export function parseAddress(text: string): Address | undefined {
  const [, address = '', prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const bytes = bytesOf(address)
  if (bytes === undefined) return undefined
  const most = bytes.length * 8
  const bits = prefix === undefined ? most : Number(prefix)
  return bits > most ? undefined : { family: most === 32 ? 'A' : 'AAAA', bytes, bits }
}

function bytesOf(text: string): Uint8Array | undefined {
  if (isIPv4(text)) return Uint8Array.from(text.split('.'), Number)
  const bytes = parseIpv6(text)
  return bytes && isMappedIpv4(bytes) ? bytes.slice(12) : bytes
}

/** Whether this is a whole address, without a prefix length that leaves some bits to the host. */
export function isWhole({ bytes, bits }: Address): boolean {
  return bits === bytes.length * 8
}

/**
 * The addresses of a host after its prefix changed: each keeps its last bits. A host without addresses gets the address as it was sent, if that has
 * any last bits; otherwise undefined, because a prefix alone is not the address of a host.
 */
export function withPrefix(prefix: Address, existing: readonly string[]): string[] | undefined {
  if (existing.length === 0)
    return prefix.bytes.some((byte, i) => byte & hostMask(prefix, i)) ? [addressText(prefix)] : undefined
  const moved = existing.map((text) => {
    const own = bytesOf(text) ?? new Uint8Array(prefix.bytes.length)
    const bytes = prefix.bytes.map((byte, i) => {
      const mask = hostMask(prefix, i)
      return (byte & ~mask) | ((own[i] ?? 0) & mask)
    })
    return addressText({ bytes })
  })
  return [...new Set(moved)]
}

/** The bits of byte `i` that belong to the host. */
function hostMask({ bits }: Address, i: number): number {
  return 0xff >> Math.max(0, Math.min(8, bits - i * 8))
}

export function addressText({ bytes }: Pick<Address, 'bytes'>): string {
  return bytes.length === 4 ? bytes.join('.') : ipv6ToText(bytes)
}
