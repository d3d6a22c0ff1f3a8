import { ipv6ToText, parseIpv6 } from '../address.ts'
import { DnsFault, quoteInput } from '../faults.ts'
import type { WireReader } from '../wire-reader.ts'
import { domainName } from './domain-name.ts'
import type { Field } from './field.ts'
import { wholeNumber } from './number.ts'

/** The number of address bits that come from another name, the remaining bits, and that name (RFC 2874 §3.1). */
export function addressSuffix(): Field {
  return {
    parse: (words, out) => {
      const prefix = wholeNumber(words.plain(), 'prefix length', 128)
      out.u8(prefix)
      if (prefix < 128) {
        const text = words.plain()
        const address = parseIpv6(text)
        if (address === undefined) throw new DnsFault('bad_rdata', `${quoteInput(text)} is not an IPv6 address`)
        const suffix = suffixOf(address, prefix)
        if (suffix === undefined)
          throw new DnsFault(
            'bad_rdata',
            `${quoteInput(text)} sets bits among the first ${prefix}, which come from the name`,
          )
        out.bytes(suffix)
      }
      if (prefix > 0) name.parse(words, out)
    },
    print: (wire) => {
      const prefix = wire.u8()
      if (prefix > 128) return undefined
      const address = new Uint8Array(16)
      const bytes = wire.bytes(suffixBytes(prefix))
      address.set(bytes, 16 - bytes.length)
      if (suffixOf(address, prefix) === undefined) return undefined
      const words = [
        String(prefix),
        prefix < 128 ? ipv6ToText(address) : undefined,
        prefix > 0 ? name.print(wire) : undefined,
      ]
      return words.filter((word) => word !== undefined).join(' ')
    },
    skip: (wire) => {
      skipAddress(wire)
      if (wire.left > 0) wire.skipName()
    },
    names: (wire) => {
      skipAddress(wire)
      return wire.left > 0 ? [wire.name()] : []
    },
  }
}

const name = domainName('lower')

function suffixBytes(prefix: number): number {
  return 16 - (prefix >> 3)
}

/** The bytes after a prefix; `undefined` if bits of the prefix are set. */
function suffixOf(address: Uint8Array, prefix: number): Uint8Array | undefined {
  const from = prefix >> 3
  const isClear =
    address.subarray(0, from).every((byte) => byte === 0) && ((address[from] ?? 0) & ~(0xff >> (prefix & 7))) === 0
  return isClear ? address.subarray(from) : undefined
}

function skipAddress(wire: WireReader): void {
  const prefix = wire.u8()
  if (prefix > 128) throw new DnsFault(wire.code, 'An A6 prefix is longer than 128 bits.')
  wire.skip(suffixBytes(prefix))
}
