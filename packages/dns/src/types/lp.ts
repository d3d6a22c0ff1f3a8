import { domainName } from '../fields/domain-name.ts'
import { u16 } from '../fields/number.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The name of an ILNP network (RFC 6742 §2.4). */
export const lp: RecordType = {
  type: RrType.LP,
  needs: 'a preference (0–65535) and a domain name, such as `10 l64-subnet1.example.com.`',
  fields: [u16('preference'), domainName('keep')],
  isOpaque: true,
}
