import { domainName } from '../fields/domain-name.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The name that this one is an alias of (RFC 1035 §3.3.1). */
export const cname: RecordType = {
  type: RrType.CNAME,
  needs: 'one domain name, such as `www.example.com.`',
  fields: [domainName('compress')],
}
