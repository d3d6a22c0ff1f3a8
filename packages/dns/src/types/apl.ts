import { addressPrefixes } from '../fields/address-prefixes.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** A list of networks (RFC 3123). It may be empty, which is written `\# 0`. */
export const apl: RecordType = {
  type: RrType.APL,
  needs: 'networks, such as `1:192.0.2.0/24 !1:192.0.2.128/25 2:2001:db8::/32`',
  fields: [addressPrefixes()],
}
