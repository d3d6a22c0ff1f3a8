import { DnsFault, quoteInput } from '../faults.ts'
import { fromHex, toHex } from '../hex.ts'
import type { Field } from './field.ts'

/** Eight bytes in four groups, `0014:4fff:ff20:ee64` (RFC 6742 §2.1.2). */
export function groupedHex(): Field {
  return {
    parse: (words, out) => {
      const text = words.plain()
      const groups = /^[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){3}$/i.test(text) ? text.split(':') : undefined
      const bytes = groups && fromHex(groups.map((group) => group.padStart(4, '0')).join(''))
      if (bytes === undefined)
        throw new DnsFault('bad_rdata', `${quoteInput(text)} is not four groups of four hexadecimal digits`)
      out.bytes(bytes)
    },
    print: (wire) => toHex(wire.bytes(8)).replace(/....(?=.)/g, '$&:'),
    skip: (wire) => wire.skip(8),
  }
}
