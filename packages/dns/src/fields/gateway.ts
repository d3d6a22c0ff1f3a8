import { DnsFault, quoteInput } from '../faults.ts'
import type { DomainName } from '../name.ts'
import type { WireReader } from '../wire-reader.ts'
import { ipv4, ipv6 } from './address.ts'
import { domainName } from './domain-name.ts'
import type { Field } from './field.ts'
import { algorithm } from './mnemonic.ts'
import { wholeNumber } from './number.ts'

/** The gateway's type, an algorithm, and the gateway: `.`, an address or a name (RFC 4025 §2.3 to §2.5). */
export function ipsecGateway(): Field {
  const number = algorithm()
  return {
    parse: (words, out) => {
      const type = wholeNumber(words.plain(), 'gateway type', name)
      out.u8(type)
      number.parse(words, out)
      gatewayOf(type, 'gateway')?.parse(words, out)
    },
    print: (wire) => {
      const type = wire.u8()
      const printed = [String(type), number.print(wire), gatewayOf(type, 'gateway')?.print(wire)]
      return printed.includes(undefined) ? undefined : printed.join(' ')
    },
    skip: (wire) => {
      const type = wire.u8()
      wire.skip(1)
      gatewayOf(type, 'gateway')?.skip(wire)
    },
    names: (wire) => {
      const type = wire.u8()
      wire.skip(1)
      return namesOf(type, wire)
    },
  }
}

/** Whether to look for other relays first, the relay's type, both in one byte, and the relay (RFC 8777 §4.2). */
export function amtRelay(): Field {
  return {
    parse: (words, out) => {
      const discovery = wholeNumber(words.plain(), 'discovery flag', 1)
      const type = wholeNumber(words.plain(), 'relay type', name)
      out.u8((discovery << 7) | type)
      gatewayOf(type, 'relay')?.parse(words, out)
    },
    print: (wire) => {
      const byte = wire.u8()
      const relay = gatewayOf(byte & 0x7f, 'relay')?.print(wire)
      return relay === undefined ? undefined : `${byte >> 7} ${byte & 0x7f} ${relay}`
    },
    skip: (wire) => gatewayOf(wire.u8() & 0x7f, 'relay')?.skip(wire),
    names: (wire) => namesOf(wire.u8() & 0x7f, wire),
  }
}

/** The highest type of a gateway: a domain name, which is never compressed. */
const name = 3

function gatewayOf(type: number, what: string): Field | undefined {
  return type === 0 ? nothing(what) : gateways[type]
}

const gateways: readonly (Field | undefined)[] = [undefined, ipv4(), ipv6(), domainName('keep')]

/** No gateway, written `.`. */
function nothing(what: string): Field {
  return {
    parse: (words) => {
      const text = words.plain()
      if (text !== '.')
        throw new DnsFault('bad_rdata', `with ${what} type 0 the ${what} is \`.\` and not ${quoteInput(text)}`)
    },
    print: () => '.',
    skip: () => {},
  }
}

function namesOf(type: number, wire: WireReader): DomainName[] {
  if (type === name) return [wire.name()]
  gateways[type]?.skip(wire)
  return []
}
