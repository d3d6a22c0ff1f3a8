import { characterString, optionalString } from '../fields/text.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The ISDN number of a host, obsolete (RFC 1183 §3.2). */
export const isdn: RecordType = {
  type: RrType.ISDN,
  needs: 'a number and, where there is one, a subaddress, such as `"150862028003217" "004"`',
  fields: [characterString('number'), optionalString('subaddress')],
  isOpaque: true,
}
