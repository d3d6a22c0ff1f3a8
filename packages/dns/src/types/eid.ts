import { remainingHex } from '../fields/binary.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The Nimrod endpoint identifier of a host (an expired draft). */
export const eid: RecordType = {
  type: RrType.EID,
  needs: 'an identifier in hexadecimal, such as `e32c6f78163a9348`',
  fields: [remainingHex('identifier')],
  isOpaque: true,
}
