import { ipv4 } from '../fields/address.ts'
import { u16 } from '../fields/number.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The locator of an ILNPv4 network (RFC 6742 §2.2). */
export const l32: RecordType = {
  type: RrType.L32,
  needs: 'a preference (0–65535) and a locator written as an IPv4 address, such as `10 10.1.2.0`',
  fields: [u16('preference'), ipv4()],
  isOpaque: true,
}
