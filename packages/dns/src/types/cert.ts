import { remainingBase64 } from '../fields/binary.ts'
import { u8, u16 } from '../fields/number.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** A certificate (RFC 4398 §2). Its type and algorithm are written as numbers. */
export const cert: RecordType = {
  type: RrType.CERT,
  needs: 'a certificate type (0–65535), a key tag (0–65535), an algorithm (0–255) and the certificate in base 64',
  fields: [u16('certificate type'), u16('key tag'), u8('algorithm'), remainingBase64('certificate')],
}
