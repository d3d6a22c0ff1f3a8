import { dsDigestBytes, dsFault, typedDigest } from '../fields/digest.ts'
import { algorithm } from '../fields/mnemonic.ts'
import { u16 } from '../fields/number.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** The digest of a key of the delegated zone (RFC 4034 §5). */
export const ds: RecordType = {
  type: RrType.DS,
  needs: 'a key tag (0–65535), an algorithm, a digest type (0–255 each) and the digest in hexadecimal',
  fields: [u16('key tag'), algorithm(), typedDigest('digest type', 'digest', dsDigestBytes)],
  writeFault: dsFault,
}
