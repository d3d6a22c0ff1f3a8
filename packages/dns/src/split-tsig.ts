import type { DomainName } from './name.ts'
import { headerBytes, readQuestion } from './parse-message.ts'
import { type RawRecord, readRawRecord } from './raw-record.ts'
import { readTsig, type TsigRecord } from './tsig-record.ts'
import { RrType } from './type.ts'
import { WireReader } from './wire-reader.ts'

/** The parts of a signed message. */
export interface SplitMessage {
  /** The message as it was before signing: without the TSIG, with the original id (RFC 8945 §4.3.2). */
  readonly unsigned: Uint8Array
  readonly tsig: TsigRecord
}

/**
 * The message without its TSIG, or `undefined` if it has none.
 *
 * @throws DnsFault `bad_message` if the message cannot be read up to its last record
 */
export function splitTsig(wire: Uint8Array): SplitMessage | undefined {
  const last = lastAdditional(wire)
  if (last === undefined || last.record.type !== RrType.TSIG) return undefined
  const tsig = readTsig(last.record)
  // A copy, which `slice` of Node's Buffer would not be.
  const unsigned = new Uint8Array(wire.subarray(0, last.at))
  const count = last.additionalCount - 1
  unsigned.set([tsig.originalId >> 8, tsig.originalId & 0xff], 0)
  unsigned.set([count >> 8, count & 0xff], headerBytes - 2)
  return { unsigned, tsig }
}

/**
 * The name of the key a message is signed with, by which a server chooses the key; `undefined` if it is not signed.
 *
 * @throws DnsFault `bad_message`
 */
export function tsigKeyNameOf(wire: Uint8Array): DomainName | undefined {
  const last = lastAdditional(wire)
  return last?.record.type === RrType.TSIG ? last.record.name : undefined
}

function lastAdditional(wire: Uint8Array): { record: RawRecord; at: number; additionalCount: number } | undefined {
  const reader = WireReader.ofMessage(wire)
  reader.skip(4)
  const questionCount = reader.u16()
  const recordCount = reader.u16() + reader.u16()
  const additionalCount = reader.u16()
  if (additionalCount === 0) return undefined
  for (let index = 0; index < questionCount; index++) readQuestion(reader)
  for (let index = 0; index < recordCount + additionalCount - 1; index++) readRawRecord(reader)
  const at = reader.at
  return { record: readRawRecord(reader), at, additionalCount }
}
