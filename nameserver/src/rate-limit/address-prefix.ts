import { isIP } from 'node:net'
import { addressView } from '../address.ts'

/** All addresses that begin with the first `bits` of `address`, which has 4 or 16 bytes. */
export interface AddressPrefix {
  readonly address: DataView
  readonly bits: number
}

/**
 * Reads `192.0.2.0/24`, `2001:db8::/32` or a single address; `undefined` when the text is none of them. A prefix of mapped
 * IPv4 addresses, such as `::ffff:192.0.2.0/120`, is that of the IPv4 addresses.
 */
export function parseAddressPrefix(text: string): AddressPrefix | undefined {
  const match = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text)
  const [, host = '', digits] = match ?? []
  if (isIP(host) === 0) return undefined
  const address = addressView(host)
  const bits = digits === undefined ? 8 * address.byteLength : Number(digits)
  if (bits > 8 * address.byteLength) return undefined
  if (!isMappedIpv4(address, 0, address.byteLength) || bits < mappedBits) return { address, bits }
  return { address: new DataView(address.buffer, mappedBits / 8), bits: bits - mappedBits }
}

/** How many bits of a mapped IPv4 address come before those of IPv4. */
const mappedBits = 96

/** Whether the address of 4 or 16 bytes at `at` is an IPv4 address in IPv6 form: `::ffff:192.0.2.1` (RFC 4291 §2.5.5.2). */
export function isMappedIpv4(addresses: DataView, at: number, bytes: number): boolean {
  if (bytes !== 16 || addresses.getInt32(at + 8) !== 0xffff) return false
  return addresses.getInt32(at) === 0 && addresses.getInt32(at + 4) === 0
}

/** The bits of the 32-bit word number `word` that a prefix of `bits` covers. */
export function prefixMask(bits: number, word: number): number {
  const covered = Math.min(Math.max(bits - 32 * word, 0), 32)
  // A shift by 32 would have no effect.
  return covered === 0 ? 0 : -1 << (32 - covered)
}
