import { remainingBase64 } from '../fields/binary.ts'
import { algorithm } from '../fields/mnemonic.ts'
import { u8, u16 } from '../fields/number.ts'
import { keyFault } from '../fields/public-key.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The key that a child wants its parent to have (RFC 7344 §3.2). */
export const cdnskey: RecordType = {
  type: RrType.CDNSKEY,
  needs: 'flags (0–65535), a protocol (3), an algorithm (0–255) and the public key in base 64',
  fields: [u16('flags'), u8('protocol'), algorithm(), remainingBase64('key')],
  writeFault: keyFault,
}
