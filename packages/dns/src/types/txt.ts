import { characterStrings } from '../fields/text.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** Free text in strings of up to 255 bytes (RFC 1035 §3.3.14). */
export const txt: RecordType = {
  type: RrType.TXT,
  needs: 'one or more texts, such as `"v=spf1 -all"`',
  fields: [characterStrings()],
}
