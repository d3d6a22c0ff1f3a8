import { remainingBase64 } from '../fields/binary.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The broadcast remote identification of an aircraft (RFC 9886). */
export const brid: RecordType = {
  type: RrType.BRID,
  needs: 'data in base 64',
  fields: [remainingBase64('data')],
  isOpaque: true,
}
