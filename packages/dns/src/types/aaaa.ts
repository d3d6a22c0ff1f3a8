import { ipv6 } from '../fields/address.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The IPv6 address of a host (RFC 3596 §2). */
export const aaaa: RecordType = {
  type: RrType.AAAA,
  needs: 'one IPv6 address, such as `2001:db8::1`',
  fields: [ipv6()],
}
