import { domainName } from '../fields/domain-name.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** Who is responsible for a mailbox or mailing list, obsolete (RFC 1035 §3.3.7). */
export const minfo: RecordType = {
  type: RrType.MINFO,
  needs: 'two mailbox names, such as `owner.example.com. errors.example.com.`',
  fields: [domainName('compress'), domainName('compress')],
}
