import { DnsFault } from '../faults.ts'
import { WireReader } from '../wire-reader.ts'
import { remainingBase64 } from './binary.ts'
import type { Field } from './field.ts'
import { algorithm } from './mnemonic.ts'
import { u8, u16 } from './number.ts'

/** Flags, protocol, algorithm and the key up to the end of the data. Flags may say that there is no key (RFC 2535 §3.1.2). */
export function publicKey(): Field {
  const head = [u16('flags'), u8('protocol'), algorithm()]
  const keyOf = (flags: number): Field => ((flags & noKey) === noKey ? nothing : remainingBase64('key'))
  return {
    parse: (words, out) => {
      const from = out.length
      for (const field of head) field.parse(words, out)
      keyOf((out.toBytes()[from] ?? 0) << 8).parse(words, out)
    },
    print: (wire) => {
      const flags = (wire.wire[wire.at] ?? 0) << 8
      const printed = head.map((field) => field.print(wire))
      const key = keyOf(flags).print(wire)
      return key === undefined ? undefined : [...printed, key].join(' ').trimEnd()
    },
    skip: (wire) => {
      wire.skip(4)
      wire.skip(wire.left)
    },
  }
}

const nothing: Field = { parse: () => {}, print: (wire) => (wire.left === 0 ? '' : undefined), skip: () => {} }

/**
 * Why the key of a new record is refused although it parses; undefined if it is fine. A key of algorithm PRIVATEDNS begins with the
 * algorithm's name (RFC 4034 §A.1.1).
 */
export function keyFault(data: Uint8Array): string | undefined {
  // PowerDNS loads it, but cannot answer with it.
  if (data.length === 4) return 'the key is missing'
  const wire = new WireReader(data, 4)
  if (data[3] !== privateDns) return undefined
  try {
    wire.skipName()
    return undefined
  } catch (fault) {
    if (!(fault instanceof DnsFault)) throw fault
    return 'the key of algorithm 253 does not begin with the algorithm’s name (RFC 4034 §A.1.1)'
  }
}

const privateDns = 253

/** The same for RKEY, whose flags are all zero. */
export function rkeyFault(data: Uint8Array): string | undefined {
  return data[0] !== 0 || data[1] !== 0 ? 'the flags are not 0' : keyFault(data)
}

/** The flags of RFC 2535 §3.1.2: both bits of "type" are set. */
const noKey = 0xc000
