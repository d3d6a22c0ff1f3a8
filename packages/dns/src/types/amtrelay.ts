import { amtRelay } from '../fields/gateway.ts'
import { u8 } from '../fields/number.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** A multicast relay, and whether to discover other relays first (RFC 8777 §4). */
export const amtrelay: RecordType = {
  type: RrType.AMTRELAY,
  needs: 'a precedence, a discovery flag (0 or 1), a relay type (0–3) and a relay, such as `10 0 1 192.0.2.15`',
  fields: [u8('precedence'), amtRelay()],
  isOpaque: true,
}
