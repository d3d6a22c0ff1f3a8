import { characterStrings } from '../fields/text.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The capabilities of a resolver (RFC 9606 §4). */
export const resinfo: RecordType = {
  type: RrType.RESINFO,
  needs: 'one or more texts, such as `"qnamemin" "exterr=15,16,17"`',
  fields: [characterStrings()],
  isOpaque: true,
}
