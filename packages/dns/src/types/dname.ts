import { domainName } from '../fields/domain-name.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The tree that everything below this name is redirected to (RFC 6672 §2.1). */
export const dname: RecordType = {
  type: RrType.DNAME,
  needs: 'one domain name, such as `example.net.`',
  fields: [domainName('lower')],
}
