import { hostName } from '../fields/domain-name.ts'
import { u16 } from '../fields/number.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The location of a service (RFC 2782). */
export const srv: RecordType = {
  type: RrType.SRV,
  needs: 'a priority, a weight, a port (0–65535 each) and a host name, such as `10 5 5060 sip.example.com.`',
  fields: [u16('priority'), u16('weight'), u16('port'), hostName('lower')],
}
