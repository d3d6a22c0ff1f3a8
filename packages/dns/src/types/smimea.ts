import { remainingHex } from '../fields/binary.ts'
import { u8 } from '../fields/number.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The certificate of a mailbox (RFC 8162 §2). */
export const smimea: RecordType = {
  type: RrType.SMIMEA,
  needs: 'a usage, a selector, a matching type (0–255 each) and the certificate data in hexadecimal',
  fields: [u8('usage'), u8('selector'), u8('matching type'), remainingHex('certificate data')],
}
