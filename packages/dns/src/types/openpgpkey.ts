import { remainingBase64 } from '../fields/binary.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The OpenPGP key of a mailbox (RFC 7929 §2). */
export const openpgpkey: RecordType = {
  type: RrType.OPENPGPKEY,
  needs: 'a public key in base 64',
  fields: [remainingBase64('key')],
}
