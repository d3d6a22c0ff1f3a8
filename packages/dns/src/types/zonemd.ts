import { remainingHex } from '../fields/binary.ts'
import { u8, u32 } from '../fields/number.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The digest of a whole zone (RFC 8976 §2). */
export const zonemd: RecordType = {
  type: RrType.ZONEMD,
  needs: 'a serial, a scheme, a hash algorithm (0–255 each) and the digest in hexadecimal',
  fields: [u32('serial'), u8('scheme'), u8('hash algorithm'), remainingHex('digest')],
}
