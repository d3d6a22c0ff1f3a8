import { publicKey, rkeyFault } from '../fields/public-key.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** A key for encrypting records (IANA "RKEY", an expired draft). */
export const rkey: RecordType = {
  type: RrType.RKEY,
  needs: 'flags (0–65535), a protocol, an algorithm (0–255 each) and the key in base 64',
  fields: [publicKey()],
  writeFault: rkeyFault,
  isOpaque: true,
}
