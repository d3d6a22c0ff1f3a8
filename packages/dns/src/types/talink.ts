import { domainName } from '../fields/domain-name.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The neighbors in a list of trust anchors (IANA "TALINK", an expired draft). */
export const talink: RecordType = {
  type: RrType.TALINK,
  needs: 'two domain names, such as `. _talink1.example.com.`',
  fields: [domainName('keep'), domainName('keep')],
  isOpaque: true,
}
