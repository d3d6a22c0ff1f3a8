import { remainingBase64 } from '../fields/binary.ts'
import { algorithm } from '../fields/mnemonic.ts'
import { u8, u16 } from '../fields/number.ts'
import { keyFault } from '../fields/public-key.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** A key of a signed zone (RFC 4034 §2). */
export const dnskey: RecordType = {
  type: RrType.DNSKEY,
  needs: 'flags (0–65535), a protocol (3), an algorithm (0–255) and the public key in base 64',
  fields: [u16('flags'), u8('protocol'), algorithm(), remainingBase64('key')],
  writeFault: keyFault,
}
