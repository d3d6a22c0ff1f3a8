import { optionalBase64 } from '../fields/binary.ts'
import { ipsecGateway } from '../fields/gateway.ts'
import { u8 } from '../fields/number.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The key for IPsec with a host, and the gateway to it (RFC 4025 §2). */
export const ipseckey: RecordType = {
  type: RrType.IPSECKEY,
  needs:
    'a precedence, a gateway type (0–3), an algorithm (0–255), a gateway and the key in base 64, such as `10 1 2 192.0.2.38 AQNRU3mG`',
  fields: [u8('precedence'), ipsecGateway(), optionalBase64('key')],
  isOpaque: true,
}
