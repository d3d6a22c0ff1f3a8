import { salt } from '../fields/hashed.ts'
import { u8, u16 } from '../fields/number.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** How the names of a zone are hashed (RFC 5155 §4). */
export const nsec3param: RecordType = {
  type: RrType.NSEC3PARAM,
  needs: 'a hash algorithm, flags (0–255 each), iterations (0–65535) and a salt or `-`, such as `1 0 0 -`',
  fields: [u8('hash algorithm'), u8('flags'), u16('iterations'), salt()],
}
