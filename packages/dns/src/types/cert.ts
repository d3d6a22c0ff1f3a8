import { remainingBase64 } from '../fields/binary.ts'
import { algorithm, certificateType } from '../fields/mnemonic.ts'
import { u16 } from '../fields/number.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** A certificate or key of one of several kinds (RFC 4398 §2). */
export const cert: RecordType = {
  type: RrType.CERT,
  needs: 'a certificate type such as PKIX, a key tag (0–65535), an algorithm (0–255) and the certificate in base 64',
  fields: [certificateType(), u16('key tag'), algorithm(), remainingBase64('certificate')],
}
