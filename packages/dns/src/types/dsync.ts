import { hostName } from '../fields/domain-name.ts'
import { syncScheme } from '../fields/mnemonic.ts'
import { u16 } from '../fields/number.ts'
import { typeCode } from '../fields/type-code.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** Where to announce that a child zone has changed (RFC 9859 §2.1). */
export const dsync: RecordType = {
  type: RrType.DSYNC,
  needs: 'a type, a scheme, a port (0–65535) and a host name, such as `CDS NOTIFY 5359 scanner.example.com.`',
  fields: [typeCode(), syncScheme(), u16('port'), hostName('keep')],
  isOpaque: true,
}
