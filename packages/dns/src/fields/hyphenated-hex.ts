import { DnsFault, quoteInput } from '../faults.ts'
import { fromHex, toHex } from '../hex.ts'
import type { Field } from './field.ts'

/** A hardware address of a fixed length, written as `00-00-5e-00-53-2a` (RFC 7043). */
export function hyphenatedHex(length: number): Field {
  const form = new RegExp(`^[0-9a-f]{2}(?:-[0-9a-f]{2}){${length - 1}}$`, 'i')
  return {
    parse: (words, out) => {
      const text = words.plain()
      const bytes = form.test(text) ? fromHex(text.replaceAll('-', '')) : undefined
      if (bytes === undefined)
        throw new DnsFault('bad_rdata', `${quoteInput(text)} is not ${length} bytes with hyphens`)
      out.bytes(bytes)
    },
    print: (wire) => toHex(wire.bytes(length)).replace(/..(?=.)/g, '$&-'),
    skip: (wire) => wire.skip(length),
  }
}
