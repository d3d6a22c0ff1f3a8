import { u16, u32 } from '../fields/number.ts'
import { typesAtName } from '../fields/type-bitmap.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** What a parent should copy from its child (RFC 7477 §2). */
export const csync: RecordType = {
  type: RrType.CSYNC,
  needs: 'a serial, flags (0–65535) and types, such as `66 3 A NS AAAA`',
  fields: [u32('serial'), u16('flags'), typesAtName()],
}
