import { ipv4ToText, ipv6ToText, parseIpv4, parseIpv6 } from '../address.ts'
import { DnsFault, quoteInput } from '../faults.ts'
import type { Field } from './field.ts'

/** Four bytes, `192.0.2.1`. */
export function ipv4(): Field {
  return {
    parse: (words, out) => {
      const text = words.plain()
      const bytes = parseIpv4(text)
      if (bytes === undefined) throw new DnsFault('bad_rdata', `${quoteInput(text)} is not an IPv4 address`)
      out.bytes(bytes)
    },
    // Does not create a view of the bytes, which would take longer than everything else.
    print: (wire) => ipv4ToText(wire.wire, wire.skip(4)),
    skip: (wire) => wire.skip(4),
  }
}

/** Sixteen bytes, `2001:db8::1`. */
export function ipv6(): Field {
  return {
    parse: (words, out) => {
      const text = words.plain()
      const bytes = parseIpv6(text)
      if (bytes === undefined) throw new DnsFault('bad_rdata', `${quoteInput(text)} is not an IPv6 address`)
      out.bytes(bytes)
    },
    print: (wire) => ipv6ToText(wire.bytes(16)),
    skip: (wire) => wire.skip(16),
  }
}
