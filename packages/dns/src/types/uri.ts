import { u16 } from '../fields/number.ts'
import { remainingText } from '../fields/text.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The URI of a service (RFC 7553 §4). */
export const uri: RecordType = {
  type: RrType.URI,
  needs: 'a priority, a weight (0–65535 each) and a URI in quotes, such as `10 1 "https://example.com/"`',
  fields: [u16('priority'), u16('weight'), remainingText('URI', 1)],
}
