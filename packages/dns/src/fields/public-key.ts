import { optionalBase64, remainingBase64 } from './binary.ts'
import type { Field } from './field.ts'
import { algorithm } from './mnemonic.ts'
import { u8, u16 } from './number.ts'

/** Flags, protocol, algorithm and the key up to the end of the data. Flags may say that there is no key (RFC 2535 §3.1.2). */
export function publicKey(): Field {
  const head = [u16('flags'), u8('protocol'), algorithm()]
  const keyOf = (flags: number): Field => ((flags & noKey) === noKey ? optionalBase64('key') : remainingBase64('key'))
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

/** The flags of RFC 2535 §3.1.2: both bits of "type" are set. */
const noKey = 0xc000
