import { groupedHex } from '../fields/grouped-hex.ts'
import { u16 } from '../fields/number.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The node identifier of ILNP (RFC 6742 §2.1). */
export const nid: RecordType = {
  type: RrType.NID,
  needs: 'a preference (0–65535) and four groups of four hexadecimal digits, such as `10 0014:4fff:ff20:ee64`',
  fields: [u16('preference'), groupedHex()],
  isOpaque: true,
}
