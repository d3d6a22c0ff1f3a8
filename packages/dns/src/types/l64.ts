import { groupedHex } from '../fields/grouped-hex.ts'
import { u16 } from '../fields/number.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The locator of an ILNPv6 network (RFC 6742 §2.3). */
export const l64: RecordType = {
  type: RrType.L64,
  needs: 'a preference (0–65535) and four groups of four hexadecimal digits, such as `10 0014:4fff:ff20:ee64`',
  fields: [u16('preference'), groupedHex()],
  isOpaque: true,
}
