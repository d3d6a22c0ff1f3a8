import { domainName } from '../fields/domain-name.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The new name of a mailbox, obsolete (RFC 1035 §3.3.8). */
export const mr: RecordType = {
  type: RrType.MR,
  needs: 'one mailbox name, such as `user.example.com.`',
  fields: [domainName('compress')],
}
