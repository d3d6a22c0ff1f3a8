import { domainName } from '../fields/domain-name.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** Who is responsible (RFC 1183 §2.2). */
export const rp: RecordType = {
  type: RrType.RP,
  needs: 'a mailbox name and the name of a TXT record, such as `admin.example.com. .`',
  fields: [domainName('lower'), domainName('lower')],
}
