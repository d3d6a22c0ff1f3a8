import { optionalBase64 } from '../fields/binary.ts'
import { u8 } from '../fields/number.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** Any data, and how to read it (an expired draft). */
export const sink: RecordType = {
  type: RrType.SINK,
  needs: 'a meaning, a coding, a subcoding (0–255 each) and data in base 64',
  fields: [u8('meaning'), u8('coding'), u8('subcoding'), optionalBase64('data')],
  isOpaque: true,
}
