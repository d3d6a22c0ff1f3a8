import { hostName } from '../fields/domain-name.ts'
import { u16 } from '../fields/number.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** A server of an AFS cell (RFC 1183 §1). */
export const afsdb: RecordType = {
  type: RrType.AFSDB,
  needs: 'a subtype (0–65535) and a host name, such as `1 afs.example.com.`',
  fields: [u16('subtype'), hostName('lower')],
}
