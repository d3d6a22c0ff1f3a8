import { hostName } from '../fields/domain-name.ts'
import { u16 } from '../fields/number.ts'
import { svcFault, svcParams } from '../fields/svc-params.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/**
 * Where and how a service is reached, or, with priority 0, the name that this one is an alias of (RFC 9460 §2).
 *
 * The parameters of an alias are kept, because clients ignore them (§2.4.2).
 */
export const svcb: RecordType = {
  type: RrType.SVCB,
  needs: 'a priority (0 for an alias), a target name and parameters, such as `1 dns.example.com. alpn=dot port=853`',
  fields: [u16('priority'), hostName('keep'), svcParams()],
  writeFault: svcFault,
}
