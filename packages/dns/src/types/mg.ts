import { domainName } from '../fields/domain-name.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** A member of a mail group, obsolete (RFC 1035 §3.3.6). */
export const mg: RecordType = {
  type: RrType.MG,
  needs: 'one mailbox name, such as `user.example.com.`',
  fields: [domainName('compress')],
}
