import { characterStrings } from '../fields/text.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** Application visibility and control (IANA "AVC"). */
export const avc: RecordType = {
  type: RrType.AVC,
  needs: 'one or more texts, such as `"app-name:WOLFGANG|app-class:OAM"`',
  fields: [characterStrings()],
  isOpaque: true,
}
