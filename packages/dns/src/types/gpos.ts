import { decimal } from '../fields/decimal.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** A place on earth, obsolete (RFC 1712 §3). */
export const gpos: RecordType = {
  type: RrType.GPOS,
  needs: 'a longitude, a latitude and an altitude in metres, such as `"116.8652" "-32.6882" "10.0"`',
  fields: [decimal('longitude', 180), decimal('latitude', 90), decimal('altitude')],
  isOpaque: true,
}
