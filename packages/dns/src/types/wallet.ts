import { characterStrings } from '../fields/text.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The address of a wallet (IANA "WALLET"). */
export const wallet: RecordType = {
  type: RrType.WALLET,
  needs: 'one or more texts, such as `"BTC" "bc1qexample"`',
  fields: [characterStrings()],
  isOpaque: true,
}
