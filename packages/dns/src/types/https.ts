import { hostName } from '../fields/domain-name.ts'
import { u16 } from '../fields/number.ts'
import { svcFault, svcParams } from '../fields/svc-params.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** SVCB for the web: where and how the origin `https://NAME` is reached (RFC 9460 §9). */
export const https: RecordType = {
  type: RrType.HTTPS,
  needs: 'a priority (0 for an alias), a target name and parameters, such as `1 . alpn=h3,h2 ipv4hint=192.0.2.1`',
  fields: [u16('priority'), hostName('keep'), svcParams()],
  writeFault: svcFault,
}
