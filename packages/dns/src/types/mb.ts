import { domainName } from '../fields/domain-name.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The host of a mailbox, obsolete (RFC 1035 §3.3.3). */
export const mb: RecordType = {
  type: RrType.MB,
  needs: 'one domain name, such as `mail.example.com.`',
  fields: [domainName('compress')],
}
