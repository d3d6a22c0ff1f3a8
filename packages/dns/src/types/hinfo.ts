import { characterString } from '../fields/text.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** What kind of machine a host is (RFC 1035 §3.3.2, RFC 8482). */
export const hinfo: RecordType = {
  type: RrType.HINFO,
  needs: 'a CPU and an operating system in quotes, such as `"RFC8482" ""`',
  fields: [characterString('CPU'), characterString('operating system')],
}
