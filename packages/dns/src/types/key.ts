import { keyFault, publicKey } from '../fields/public-key.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** A public key of a name, today only for SIG(0) (RFC 2535 §3, RFC 3445). */
export const key: RecordType = {
  type: RrType.KEY,
  needs: 'flags (0–65535), a protocol, an algorithm (0–255 each) and the key in base 64',
  fields: [publicKey()],
  writeFault: keyFault,
  isOpaque: true,
}
