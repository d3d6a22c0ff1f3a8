import { hyphenatedHex } from '../fields/hyphenated-hex.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** A hardware address of 64 bits (RFC 7043 §4). */
export const eui64: RecordType = {
  type: RrType.EUI64,
  needs: 'eight bytes with hyphens, such as `00-00-5e-ef-10-00-00-2a`',
  fields: [hyphenatedHex(8)],
}
