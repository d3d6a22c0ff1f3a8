import { typedDigest } from '../fields/digest.ts'
import { u8, u32 } from '../fields/number.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** SHA-384 and SHA-512 (RFC 8976 §5.3). */
const digestBytes: ReadonlyMap<number, number> = new Map([
  [1, 48],
  [2, 64],
])

/** The digest of a whole zone (RFC 8976 §2). */
export const zonemd: RecordType = {
  type: RrType.ZONEMD,
  needs: 'a serial, a scheme, a hash algorithm (0–255 each) and the digest in hexadecimal',
  fields: [u32('serial'), u8('scheme'), typedDigest('hash algorithm', 'digest', digestBytes)],
}
