import { domainName } from '../fields/domain-name.ts'
import { seconds, u32 } from '../fields/number.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The start of a zone of authority (RFC 1035 §3.3.13). */
export const soa: RecordType = {
  type: RrType.SOA,
  needs:
    'a primary server, a mailbox name, a serial, refresh, retry, expire and minimum, ' +
    'such as `ns1.example.net. hostmaster.example.net. 1 14400 3600 1209600 300`',
  fields: [
    domainName('compress'),
    domainName('compress'),
    u32('serial'),
    seconds('refresh'),
    seconds('retry'),
    seconds('expire'),
    seconds('minimum'),
  ],
}
