import { nsapAddress } from '../fields/nsap-address.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The NSAP address of a host, obsolete (RFC 1706 §5). */
export const nsap: RecordType = {
  type: RrType.NSAP,
  needs: 'an address in hexadecimal after `0x`, such as `0x47.0005.80.005a00.0000.0001.e133.ffffff000161.00`',
  fields: [nsapAddress()],
  isOpaque: true,
}
