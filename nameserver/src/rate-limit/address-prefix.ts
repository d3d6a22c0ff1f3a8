import { isIP } from 'node:net'
import { addressView } from '../address.ts'

/** All addresses that begin with the first `bits` of `address`, which has 4 or 16 bytes. */
export interface AddressPrefix {
  readonly address: DataView
  readonly bits: number
}

/** Reads `192.0.2.0/24`, `2001:db8::/32` or a single address; `undefined` when the text is none of them. */
export function parseAddressPrefix(text: string): AddressPrefix | undefined {
  const match = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text)
  const [, host = '', digits] = match ?? []
  if (isIP(host) === 0) return undefined
  const address = addressView(host)
  const bits = digits === undefined ? 8 * address.byteLength : Number(digits)
  return bits <= 8 * address.byteLength ? { address, bits } : undefined
}

/** The bits of the 32-bit word number `word` that a prefix of `bits` covers. */
export function prefixMask(bits: number, word: number): number {
  const covered = Math.min(Math.max(bits - 32 * word, 0), 32)
  // A shift by 32 would shift by nothing.
  return covered === 0 ? 0 : -1 << (32 - covered)
}
