import { addressSuffix } from '../fields/address-suffix.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** Part of an IPv6 address, and the name that has the rest, historic (RFC 2874 §3.1, RFC 6563). */
export const a6: RecordType = {
  type: RrType.A6,
  needs:
    'a prefix length (0–128), an address unless that is 128, and a name unless it is 0, such as `64 ::1 net.example.com.`',
  fields: [addressSuffix()],
  isOpaque: true,
}
