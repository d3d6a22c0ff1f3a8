import { hyphenatedHex } from '../fields/hyphenated-hex.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** A hardware address of 48 bits (RFC 7043 §3). */
export const eui48: RecordType = {
  type: RrType.EUI48,
  needs: 'six bytes with hyphens, such as `00-00-5e-00-53-2a`',
  fields: [hyphenatedHex(6)],
}
