import { hostName } from '../fields/domain-name.ts'
import { u16 } from '../fields/number.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** A host that routes to this one (RFC 1183 §3.3). */
export const rt: RecordType = {
  type: RrType.RT,
  needs: 'a preference (0–65535) and a host name, such as `10 relay.example.com.`',
  fields: [u16('preference'), hostName('lower')],
}
