import { remainingHex } from '../fields/binary.ts'
import { u8 } from '../fields/number.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The fingerprint of an SSH host key (RFC 4255 §3). */
export const sshfp: RecordType = {
  type: RrType.SSHFP,
  needs: 'an algorithm, a fingerprint type (0–255 each) and the fingerprint in hexadecimal',
  fields: [u8('algorithm'), u8('fingerprint type'), remainingHex('fingerprint')],
}
