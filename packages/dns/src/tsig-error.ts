import { bareAnswer } from './bare-answer.ts'
import { Rcode } from './message.ts'
import { splitTsig } from './split-tsig.ts'
import { type Hmac, type TsigFault, type TsigKey, tsigFudgeSeconds } from './tsig.ts'
import { appendTsig, writeTsigVariables } from './tsig-record.ts'
import { WireWriter } from './wire-writer.ts'

/**
 * The NOTAUTH response to a request whose signature was refused (RFC 8945 §5.2, §5.3.2). It is unsigned for BADKEY and BADSIG. If the key is given,
 * it is signed for BADTIME and BADTRUNC, with our time in addition to the client's. FORMERR has no TSIG.
 *
 * @throws DnsFault `bad_message` if the request cannot be read
 */
export function tsigErrorResponse(
  queryWire: Uint8Array,
  fault: TsigFault,
  unixSeconds: number,
  signing?: { key: TsigKey; hmac: Hmac },
): Uint8Array {
  const split = splitTsig(queryWire)
  const isFormerr = fault.rcode === Rcode.FORMERR || split === undefined
  const answer = bareAnswer(queryWire, isFormerr ? Rcode.FORMERR : Rcode.NOTAUTH)
  if (isFormerr) return answer
  const base = { ...split.tsig, mac: new Uint8Array(0), otherData: new Uint8Array(0), error: fault.rcode }
  const isProven = fault.rcode === Rcode.BADTIME || fault.rcode === Rcode.BADTRUNC
  if (!isProven || signing === undefined) return appendTsig(answer, base)
  const ours = new WireWriter(8)
  if (fault.rcode === Rcode.BADTIME) ours.u48(Math.floor(unixSeconds))
  const tsig = { ...base, fudge: tsigFudgeSeconds, otherData: ours.toBytes() }
  const covered = new WireWriter(512)
  covered.u16(split.tsig.mac.length)
  covered.bytes(split.tsig.mac)
  covered.bytes(answer)
  writeTsigVariables(tsig, covered)
  const mac = signing.hmac(signing.key.algorithm, signing.key.secret, covered.toBytes())
  return appendTsig(answer, { ...tsig, mac })
}
