import { domainName } from '../fields/domain-name.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The name of an NSAP address, obsolete (RFC 1348). */
export const nsapPtr: RecordType = {
  type: RrType['NSAP-PTR'],
  needs: 'one domain name, such as `host.example.com.`',
  fields: [domainName('keep')],
  isOpaque: true,
}
