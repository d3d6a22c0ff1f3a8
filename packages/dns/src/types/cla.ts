import { characterStrings } from '../fields/text.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The convergence-layer adapters of a bundle node (IANA "CLA"). */
export const cla: RecordType = {
  type: RrType.CLA,
  needs: 'one or more texts, such as `"TCP-v4-v6"`',
  fields: [characterStrings()],
  isOpaque: true,
}
