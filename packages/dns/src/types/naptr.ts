import { domainName } from '../fields/domain-name.ts'
import { expression } from '../fields/expression.ts'
import { u16 } from '../fields/number.ts'
import { characterString } from '../fields/text.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** A rewriting rule (RFC 3403 §4.1). */
export const naptr: RecordType = {
  type: RrType.NAPTR,
  needs:
    'an order, a preference, flags, services, an expression and a name, such as `100 10 "S" "SIP+D2U" "" _sip._udp.example.com.`',
  fields: [
    u16('order'),
    u16('preference'),
    characterString('flags'),
    characterString('services'),
    expression(),
    domainName('lower'),
  ],
}
