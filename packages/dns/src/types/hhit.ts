import { remainingBase64 } from '../fields/binary.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The hierarchical host identity tag of an aircraft (RFC 9886). */
export const hhit: RecordType = {
  type: RrType.HHIT,
  needs: 'data in base 64',
  fields: [remainingBase64('data')],
  isOpaque: true,
}
