import { ipv4 } from '../fields/address.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The address of a host (RFC 1035 §3.4.1). */
export const a: RecordType = {
  type: RrType.A,
  needs: 'one IPv4 address, such as `192.0.2.1`',
  fields: [ipv4()],
}
