import { atmAddress } from '../fields/atm-address.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The ATM address of a host (ATM Forum, af-saa-0069). */
export const atma: RecordType = {
  type: RrType.ATMA,
  needs: 'an address: `+` and digits (E.164) or hexadecimal (AESA), such as `+61200000000`',
  fields: [atmAddress()],
  isOpaque: true,
}
