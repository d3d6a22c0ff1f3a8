import { remainingBase64 } from '../fields/binary.ts'
import { domainName } from '../fields/domain-name.ts'
import { algorithm } from '../fields/mnemonic.ts'
import { u8, u16, u32 } from '../fields/number.ts'
import { signatureTime } from '../fields/signature-time.ts'
import { typeCode } from '../fields/type-code.ts'
import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'

/** A signature in the old form of DNSSEC, obsolete (RFC 2535 §4.1). */
export const sig: RecordType = {
  type: RrType.SIG,
  needs:
    'a type, an algorithm, labels, a TTL, expiration and inception, a key tag, the signer and the signature in base 64',
  fields: [
    typeCode(),
    algorithm(),
    u8('labels'),
    u32('original TTL'),
    signatureTime('expiration'),
    signatureTime('inception'),
    u16('key tag'),
    domainName('lower'),
    remainingBase64('signature'),
  ],
  isOpaque: true,
}
