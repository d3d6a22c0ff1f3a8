import { domainName } from '../fields/domain-name.ts'
import { oldTypeBitmap } from '../fields/old-type-bitmap.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The next name of a zone and the types at this one, obsolete (RFC 2535 §5.2). */
export const nxt: RecordType = {
  type: RrType.NXT,
  needs: 'a domain name and types up to 127, such as `host.example.com. A MX`',
  fields: [domainName('lower'), oldTypeBitmap()],
  isOpaque: true,
}
