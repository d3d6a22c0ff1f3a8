import { writeEdns } from './edns.ts'
import { DnsFault } from './faults.ts'
import type { Message, Question, WireRecord } from './message.ts'
import { headerBytes } from './parse-message.ts'
import { writeRdata } from './rdata-wire.ts'
import { writeTsig } from './tsig-record.ts'
import { WireWriter } from './wire-writer.ts'

/** Longest message: TCP counts its bytes in 16 bits (RFC 1035 §4.2.2). */
export const maxMessageBytes = 65535

export interface BuildOptions {
  /** Maximum length of the message in bytes. Rrsets that do not fit are left out whole, and TC is set. Default: 65535. */
  readonly maxSize?: number
}

/**
 * Writes a message with names compressed (RFC 1035 §4.1.4, RFC 3597 §4).
 *
 * If the message would exceed `maxSize`, the first rrset that does not fit and all later ones are left out, and TC is set. OPT and TSIG always stay.
 *
 * @throws DnsFault `bad_message` if not even the question fits, or the rcode needs an OPT that is missing
 */
export function buildMessage(message: Partial<Message> & { id: number }, options: BuildOptions = {}): Uint8Array {
  const maxSize = Math.min(options.maxSize ?? maxMessageBytes, maxMessageBytes)
  const { questions = [], answers = [], authorities = [], additionals = [], edns, tsig, rcode = 0 } = message
  if (rcode > 15 && edns === undefined) {
    throw new DnsFault('bad_message', `The response code ${rcode} needs an OPT record.`)
  }
  const [out, tail] = [scratch.clear(), scratchTail.clear()]
  if (edns !== undefined) writeEdns(edns, rcode, tail)
  if (tsig !== undefined) writeTsig(tsig, tail)
  writeHeader(message, out)
  for (const question of questions) writeQuestion(question, out)
  const room = maxSize - tail.length
  if (out.length > room) throw new DnsFault('bad_message', `The question does not fit into ${maxSize} bytes.`)
  const counts = [questions.length]
  let isCut = false
  for (const records of [answers, authorities, additionals]) {
    const written: number = isCut ? 0 : writeRrsets(records, room, out)
    isCut ||= written < records.length
    counts.push(written)
  }
  counts[3] = (counts[3] ?? 0) + (edns === undefined ? 0 : 1) + (tsig === undefined ? 0 : 1)
  for (const [index, count] of counts.entries()) out.patchU16(4 + 2 * index, count)
  if (isCut) out.patchU16(2, flagsOf({ ...message, tc: true }))
  out.append(tail)
  return out.toBytes()
}

/** Writers that are reused for every message: one for the part before the OPT and TSIG, and one for these. */
const scratch = new WireWriter(1024)
const scratchTail = new WireWriter(512)

/** Writes a response that repeats the question exactly as the query spelled it, because some resolvers randomize the case of names and compare it. */
export function buildResponse(queryWire: Uint8Array, message: Message, options: BuildOptions = {}): Uint8Array {
  const wire = buildMessage(message, options)
  if (message.questions.length > 0) copyQuestionCase(queryWire, wire)
  return wire
}

/** Spells the first question name of `wire` as in `queryWire`. Does nothing if the names are different. */
export function copyQuestionCase(queryWire: Uint8Array, wire: Uint8Array): void {
  for (let at = headerBytes; at < queryWire.length; at++) {
    const asked = queryWire[at] ?? 0
    if (asked === 0 || lowerCase(asked) !== wire[at]) return
    wire[at] = asked
  }
}

function lowerCase(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte
}

/** Writes the header with its counts still zero. */
export function writeHeader(message: Partial<Message> & { id: number }, out: WireWriter): void {
  out.u16(message.id)
  out.u16(flagsOf(message))
  for (let count = 0; count < 4; count++) out.u16(0)
}

function flagsOf(message: Partial<Message>): number {
  const bit = (isSet: boolean | undefined, value: number) => (isSet === true ? value : 0)
  const bits = bit(message.qr, 0x8000) | bit(message.aa, 0x0400) | bit(message.tc, 0x0200) | bit(message.rd, 0x0100)
  const lower = bit(message.ra, 0x0080) | bit(message.ad, 0x0020) | bit(message.cd, 0x0010)
  return bits | lower | (((message.opcode ?? 0) & 15) << 11) | ((message.rcode ?? 0) & 15)
}

export function writeQuestion(question: Question, out: WireWriter): void {
  out.compressedName(question.name)
  out.u16(question.type)
  out.u16(question.class)
}

/** How many records were written: all, or those of the rrsets before the first one that exceeded `room`. */
function writeRrsets(records: readonly WireRecord[], room: number, out: WireWriter): number {
  let rrsetStart = out.length
  let rrsetFirst = 0
  for (const [index, record] of records.entries()) {
    const first = records[rrsetFirst]
    if (
      first !== undefined &&
      !(first.name === record.name && first.type === record.type && first.class === record.class)
    ) {
      rrsetStart = out.length
      rrsetFirst = index
    }
    writeRecord(record, out)
    if (out.length > room) {
      out.rollBack(rrsetStart)
      return rrsetFirst
    }
  }
  return records.length
}

export function writeRecord(record: WireRecord, out: WireWriter): void {
  out.compressedName(record.name)
  out.u16(record.type)
  out.u16(record.class)
  out.u32(record.ttl)
  const lengthAt = out.length
  out.u16(0)
  writeRdata(record.type, record.data, out)
  out.patchU16(lengthAt, out.length - lengthAt - 2)
}
