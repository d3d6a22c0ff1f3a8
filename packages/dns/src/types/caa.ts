import { u8 } from '../fields/number.ts'
import { remainingText, tag } from '../fields/text.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** Who may issue certificates (RFC 8659 §4). */
export const caa: RecordType = {
  type: RrType.CAA,
  needs: 'flags (0–255), a tag and a value in quotes, such as `0 issue "letsencrypt.org"`',
  fields: [u8('flags'), tag(), remainingText('value')],
  // PowerDNS cannot read one that ends a message.
  writeFault: (data) =>
    data.length === 2 + (data[1] ?? 0) ? 'the value is empty: write `";"` to allow no one' : undefined,
}
