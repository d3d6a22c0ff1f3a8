import { digits } from '../fields/digits.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The X.121 address of a host, obsolete (RFC 1183 §3.1). */
export const x25: RecordType = {
  type: RrType.X25,
  needs: 'an address of at least four digits, such as `"311061700956"`',
  fields: [digits('address', 4)],
  isOpaque: true,
}
