import type { RecordType } from '../record-type.ts'
import { RrType } from '../type.ts'
import { rrsig } from './rrsig.ts'

/** A signature in the old form of DNSSEC, obsolete (RFC 2535 §4.1). Its fields are those of RRSIG (RFC 3755 §3). */
export const sig: RecordType = { ...rrsig, type: RrType.SIG, isOpaque: true }
