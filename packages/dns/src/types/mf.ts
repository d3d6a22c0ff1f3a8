import { domainName } from '../fields/domain-name.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** A mail forwarder, obsolete (RFC 1035 §3.3.5). */
export const mf: RecordType = {
  type: RrType.MF,
  needs: 'one domain name, such as `mail.example.com.`',
  fields: [domainName('compress')],
}
