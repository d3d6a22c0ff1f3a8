import { hostName } from '../fields/domain-name.ts'
import { u16 } from '../fields/number.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** A host that accepts mail; \`0 .\` means that none does (RFC 1035 §3.3.9, RFC 7505). */
export const mx: RecordType = {
  type: RrType.MX,
  needs: 'a preference (0–65535) and a host name, such as `10 mail.example.com.`',
  fields: [u16('preference'), hostName('compress')],
}
