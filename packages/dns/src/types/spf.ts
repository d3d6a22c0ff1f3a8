import { characterStrings } from '../fields/text.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** An SPF policy, obsolete: mail receivers read only TXT (RFC 7208 §3.1). */
export const spf: RecordType = {
  type: RrType.SPF,
  needs: 'one or more texts, such as `"v=spf1 -all"`',
  fields: [characterStrings()],
  isOpaque: true,
}
