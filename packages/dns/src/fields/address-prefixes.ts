import { ipv4ToText, ipv6ToText, parseIpv4, parseIpv6 } from '../address.ts'
import { DnsFault, quoteInput } from '../faults.ts'
import type { WireReader } from '../wire-reader.ts'
import type { Field } from './field.ts'

/** Networks up to the end of the data, `!1:192.0.2.0/24`: family, address and prefix, `!` for "not this one" (RFC 3123 §5). */
export function addressPrefixes(): Field {
  return {
    parse: (words, out) => {
      while (words.left > 0) {
        const { family, prefix, isNegated, address } = itemOf(words.plain())
        const bytes = withoutTrailingZeros(address)
        out.u16(family)
        out.u8(prefix)
        out.u8(bytes.length | (isNegated ? negated : 0))
        out.bytes(bytes)
      }
    },
    print: (wire) => {
      const items: string[] = []
      while (wire.left > 0) {
        const item = readItem(wire)
        const family = families.get(item.family)
        if (family === undefined) return undefined
        const address = new Uint8Array(family.addressBytes)
        address.set(item.address)
        items.push(`${item.isNegated ? '!' : ''}${item.family}:${family.print(address)}/${item.prefix}`)
      }
      return items.length === 0 ? undefined : items.join(' ')
    },
    skip: (wire) => {
      while (wire.left > 0) readItem(wire)
    },
  }
}

/** The highest bit of the length byte (RFC 3123 §4). */
const negated = 0x80

interface AddressFamily {
  readonly addressBytes: number
  readonly parse: (text: string) => Uint8Array | undefined
  readonly print: (address: Uint8Array) => string
}

/** The families with a notation (RFC 3123 §4.1 and §4.2), by their IANA number. */
const families: ReadonlyMap<number, AddressFamily> = new Map([
  [1, { addressBytes: 4, parse: parseIpv4, print: ipv4ToText }],
  [2, { addressBytes: 16, parse: parseIpv6, print: ipv6ToText }],
])

interface Item {
  readonly family: number
  readonly prefix: number
  readonly isNegated: boolean
  readonly address: Uint8Array
}

function itemOf(text: string): Item {
  const [, not, number = '', written = '', length = ''] = /^(!?)(\d{1,5}):([^/]+)\/(\d{1,3})$/.exec(text) ?? []
  const family = families.get(Number(number))
  const address = family?.parse(written)
  if (family === undefined || address === undefined || Number(length) > family.addressBytes * 8) {
    throw new DnsFault(
      'bad_rdata',
      `${quoteInput(text)} is not a network such as \`1:192.0.2.0/24\` or \`2:2001:db8::/32\``,
    )
  }
  return { family: Number(number), prefix: Number(length), isNegated: not === '!', address }
}

/** @throws DnsFault for an address of a known family that is too long or has trailing zeros, which are not allowed */
function readItem(wire: WireReader): Item {
  const family = wire.u16()
  const prefix = wire.u8()
  const flags = wire.u8()
  const address = wire.bytes(flags & ~negated)
  const maxBytes = families.get(family)?.addressBytes ?? Number.POSITIVE_INFINITY
  if (address.length > maxBytes || prefix > maxBytes * 8 || address.at(-1) === 0) {
    throw new DnsFault(wire.code, 'A network of APL is malformed.')
  }
  return { family, prefix, isNegated: (flags & negated) !== 0, address }
}

function withoutTrailingZeros(address: Uint8Array): Uint8Array {
  return address.subarray(0, address.findLastIndex((byte) => byte !== 0) + 1)
}
