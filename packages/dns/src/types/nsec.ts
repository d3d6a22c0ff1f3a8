import { domainName } from '../fields/domain-name.ts'
import { typesAtName } from '../fields/type-bitmap.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The proof that no name exists between two names (RFC 4034 §4). */
export const nsec: RecordType = {
  type: RrType.NSEC,
  needs: 'the next name and the types that exist here, such as `host.example.com. A MX RRSIG NSEC`',
  fields: [domainName('keep'), typesAtName()],
}
