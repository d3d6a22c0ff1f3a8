import { typedDigest } from '../fields/digest.ts'
import { u8 } from '../fields/number.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** SHA-1 and SHA-256 (RFC 4255 §3.1.2, RFC 6594 §4). */
const fingerprintBytes: ReadonlyMap<number, number> = new Map([
  [1, 20],
  [2, 32],
])

/** The fingerprint of an SSH host key (RFC 4255 §3). */
export const sshfp: RecordType = {
  type: RrType.SSHFP,
  needs: 'an algorithm, a fingerprint type (0–255 each) and the fingerprint in hexadecimal',
  fields: [u8('algorithm'), typedDigest('fingerprint type', 'fingerprint', fingerprintBytes)],
}
