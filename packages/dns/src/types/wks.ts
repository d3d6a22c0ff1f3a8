import { ipv4 } from '../fields/address.ts'
import { services } from '../fields/services.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** Well-known services of a host, obsolete (RFC 1035 §3.4.2). */
export const wks: RecordType = {
  type: RrType.WKS,
  needs: 'an IPv4 address, a protocol number (0–255) and ports, such as `192.0.2.1 6 25 80`',
  fields: [ipv4(), services()],
  isOpaque: true,
}
