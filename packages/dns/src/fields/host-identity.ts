import { fromBase64, toBase64 } from '../base64.ts'
import { DnsFault, quoteInput } from '../faults.ts'
import { fromHex, toHex } from '../hex.ts'
import type { Field } from './field.ts'
import { wholeNumber } from './number.ts'

/** An algorithm, a host identity tag in hexadecimal and a key in base 64, both with their lengths (RFC 8005 §5). */
export function hostIdentity(): Field {
  return {
    parse: (words, out) => {
      const algorithm = wholeNumber(words.plain(), 'algorithm', 0xff)
      const [tagText, keyText] = [words.plain(), words.plain()]
      const [tag, key] = [fromHex(tagText), fromBase64(keyText)]
      if (tag === undefined || tag.length === 0 || tag.length > 255)
        throw new DnsFault('bad_rdata', `the tag ${quoteInput(tagText)} is not hexadecimal of 1 to 255 bytes`)
      if (key === undefined || key.length === 0 || key.length > 65_535)
        throw new DnsFault('bad_rdata', `the key ${quoteInput(keyText)} is not padded base 64`)
      out.u8(tag.length)
      out.u8(algorithm)
      out.u16(key.length)
      out.bytes(tag)
      out.bytes(key)
    },
    print: (wire) => {
      const [tagBytes, algorithm, keyBytes] = [wire.u8(), wire.u8(), wire.u16()]
      const [tag, key] = [wire.bytes(tagBytes), wire.bytes(keyBytes)]
      return tagBytes === 0 || keyBytes === 0 ? undefined : `${algorithm} ${toHex(tag)} ${toBase64(key)}`
    },
    skip: (wire) => {
      const tagBytes = wire.u8()
      wire.skip(1)
      wire.skip(wire.u16() + tagBytes)
    },
  }
}
