import { domainName } from '../fields/domain-name.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** A mail destination, obsolete (RFC 1035 §3.3.4). */
export const md: RecordType = {
  type: RrType.MD,
  needs: 'one domain name, such as `mail.example.com.`',
  fields: [domainName('compress')],
}
