import { characterStrings } from '../fields/text.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The status of a zone (IANA "NINFO", an expired draft). */
export const ninfo: RecordType = {
  type: RrType.NINFO,
  needs: 'one or more texts, such as `"maintenance"`',
  fields: [characterStrings()],
  isOpaque: true,
}
