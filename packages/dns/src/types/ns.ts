import { hostName } from '../fields/domain-name.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** A nameserver of the zone or of a delegation (RFC 1035 §3.3.11). */
export const ns: RecordType = {
  type: RrType.NS,
  needs: 'the name of a nameserver, such as `ns1.example.net.`',
  fields: [hostName('compress')],
}
