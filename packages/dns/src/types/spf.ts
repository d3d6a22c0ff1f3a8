import { characterStrings } from '../fields/text.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** What TXT says about senders of mail, obsolete: receivers read TXT alone (RFC 7208 §3.1). */
export const spf: RecordType = {
  type: RrType.SPF,
  needs: 'one or more texts, such as `"v=spf1 -all"`',
  fields: [characterStrings()],
  isOpaque: true,
}
