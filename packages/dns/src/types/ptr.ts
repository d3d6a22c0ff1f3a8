import { domainName } from '../fields/domain-name.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** A pointer to another name (RFC 1035 §3.3.12). */
export const ptr: RecordType = {
  type: RrType.PTR,
  needs: 'one domain name, such as `host.example.com.`',
  fields: [domainName('compress')],
}
