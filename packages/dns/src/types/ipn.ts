import { u64 } from '../fields/number.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The node number of a bundle node (IANA "IPN"). */
export const ipn: RecordType = {
  type: RrType.IPN,
  needs: 'a whole number below 2⁶⁴, such as `267`',
  fields: [u64('node number')],
  isOpaque: true,
}
