import { hashedName, salt } from '../fields/hashed.ts'
import { u8, u16 } from '../fields/number.ts'
import { typesAtName } from '../fields/type-bitmap.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The proof that no name exists between two hashed names (RFC 5155 §3). */
export const nsec3: RecordType = {
  type: RrType.NSEC3,
  needs: 'a hash algorithm, flags (0–255 each), iterations (0–65535), a salt or `-`, the next hashed name and types',
  fields: [u8('hash algorithm'), u8('flags'), u16('iterations'), salt(), hashedName(), typesAtName()],
}
