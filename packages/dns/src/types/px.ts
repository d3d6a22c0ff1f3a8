import { domainName } from '../fields/domain-name.ts'
import { u16 } from '../fields/number.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** How X.400 and Internet mail addresses map to each other (RFC 2163 §4). */
export const px: RecordType = {
  type: RrType.PX,
  needs: 'a preference (0–65535) and two domain names, such as `10 example.com. prmd-example.`',
  fields: [u16('preference'), domainName('lower'), domainName('lower')],
}
