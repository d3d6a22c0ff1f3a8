import { remainingBase64 } from '../fields/binary.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The DHCP client that a name belongs to (RFC 4701 §3). */
export const dhcid: RecordType = {
  type: RrType.DHCID,
  needs: 'an identifier in base 64',
  fields: [remainingBase64('identifier')],
  isOpaque: true,
}
