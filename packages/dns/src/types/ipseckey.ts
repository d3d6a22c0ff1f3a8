import { remainingBase64 } from '../fields/binary.ts'
import { ipsecGateway } from '../fields/gateway.ts'
import { u8 } from '../fields/number.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The key for IPsec with a host, and the gateway to it (RFC 4025 §2). */
export const ipseckey: RecordType = {
  type: RrType.IPSECKEY,
  needs:
    'a precedence, a gateway type (0–3), an algorithm (1 or 2), a gateway and the key in base 64, such as `10 1 2 192.0.2.38 AQNRU3mG`',
  fields: [u8('precedence'), ipsecGateway(), remainingBase64('key')],
  writeFault: (data) => {
    const algorithm = data[2] ?? 0
    // PowerDNS loads no others.
    return algorithm === 1 || algorithm === 2 ? undefined : `the algorithm ${algorithm} is neither 1 (DSA) nor 2 (RSA)`
  },
  isOpaque: true,
}
