import { dashedBase64 } from '../fields/binary.ts'
import { u8, u32 } from '../fields/number.ts'
import { characterString } from '../fields/text.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** An object, or its location (IANA "DOA", an expired draft). */
export const doa: RecordType = {
  type: RrType.DOA,
  needs:
    'an enterprise, a type, a location (0–255), a media type and data in base 64 or `-`, such as `0 1 2 "text/plain" aGk=`',
  fields: [u32('enterprise'), u32('type'), u8('location'), characterString('media type'), dashedBase64('data')],
  isOpaque: true,
}
