import { remainingHex } from '../fields/binary.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The Nimrod locator of a host (an expired draft). */
export const nimloc: RecordType = {
  type: RrType.NIMLOC,
  needs: 'a locator in hexadecimal, such as `32251a030067`',
  fields: [remainingHex('locator')],
  isOpaque: true,
}
