import { hostName } from '../fields/domain-name.ts'
import { u16 } from '../fields/number.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** A host that exchanges keys for this one (RFC 2230 §3.1). */
export const kx: RecordType = {
  type: RrType.KX,
  needs: 'a preference (0–65535) and a host name, such as `10 kx.example.com.`',
  fields: [u16('preference'), hostName('lower')],
}
