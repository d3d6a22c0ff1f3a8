import { cdsFault, dsDigestBytes, typedDigest } from '../fields/digest.ts'
import { algorithm } from '../fields/mnemonic.ts'
import { u16 } from '../fields/number.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The DS that a child wants its parent to have (RFC 7344 §3.1). */
export const cds: RecordType = {
  type: RrType.CDS,
  needs: 'a key tag (0–65535), an algorithm, a digest type (0–255 each) and the digest in hexadecimal',
  fields: [u16('key tag'), algorithm(), typedDigest('digest type', 'digest', dsDigestBytes)],
  writeFault: cdsFault,
}
