import { DnsClass } from './dns-class.ts'
import { type Edns, readEdns } from './edns.ts'
import { DnsFault } from './faults.ts'
import { type Message, Opcode, type Question, type WireRecord } from './message.ts'
import { faultIn, type RawRecord, readRawRecord } from './raw-record.ts'
import { expandRdata, type RecordData } from './rdata-wire.ts'
import { readTsig, type TsigRecord } from './tsig-record.ts'
import { RrType, toType } from './type.ts'
import { WireReader } from './wire-reader.ts'

/** Bytes of a message's header (RFC 1035 §4.1.1). */
export const headerBytes = 12

/**
 * Parses a whole message, and checks that every record of a known type is well-formed.
 *
 * For any bytes, it returns or throws in a time that is proportional to their number. Data may be empty if the type allows it, and in updates. A TSIG
 * must be the last record (RFC 8945 §5.1), there must be only one OPT (RFC 6891 §6.1.1), and nothing may follow the last record.
 *
 * @throws DnsFault `bad_message`
 */
export function parseMessage(wire: Uint8Array): Message {
  const reader = WireReader.ofMessage(wire)
  const id = reader.u16()
  const flags = reader.u16()
  const [questionCount, answerCount, authorityCount, additionalCount] = [
    reader.u16(),
    reader.u16(),
    reader.u16(),
    reader.u16(),
  ]
  const opcode = (flags >> 11) & 15
  const readRecord = (): WireRecord => zoneRecord(readRawRecord(reader), opcode)
  const questions = readEach(questionCount, readQuestion, reader)
  const answers = readEach(answerCount, readRecord, reader)
  const authorities = readEach(authorityCount, readRecord, reader)
  const extras = readAdditionals(reader, additionalCount, opcode)
  if (reader.left > 0) throw new DnsFault('bad_message', 'The message has bytes after its last record.')
  return {
    id,
    qr: (flags & 0x8000) !== 0,
    opcode,
    aa: (flags & 0x0400) !== 0,
    tc: (flags & 0x0200) !== 0,
    rd: (flags & 0x0100) !== 0,
    ra: (flags & 0x0080) !== 0,
    ad: (flags & 0x0020) !== 0,
    cd: (flags & 0x0010) !== 0,
    rcode: (flags & 15) | (extras.upperRcode << 4),
    questions,
    answers,
    authorities,
    additionals: extras.records,
    ...(extras.edns === undefined ? {} : { edns: extras.edns }),
    ...(extras.tsig === undefined ? {} : { tsig: extras.tsig }),
  }
}

/** The message, or undefined if the bytes are not a message. */
export function tryParseMessage(wire: Uint8Array): Message | undefined {
  try {
    return parseMessage(wire)
  } catch (error) {
    if (error instanceof DnsFault) return undefined
    throw error
  }
}

/** Reserves nothing, because the count is only a claim of the sender. */
function readEach<T>(count: number, read: (reader: WireReader) => T, reader: WireReader): T[] {
  const items: T[] = []
  for (let index = 0; index < count; index++) items.push(read(reader))
  return items
}

export function readQuestion(reader: WireReader): Question {
  return { name: reader.name(), type: toType(reader.u16()), class: reader.u16() }
}

function zoneRecord(raw: RawRecord, opcode: number): WireRecord {
  if (raw.type === RrType.OPT || raw.type === RrType.TSIG) {
    throw new DnsFault('bad_message', 'OPT and TSIG belong in the additional section.')
  }
  // A TTL with its highest bit set counts as zero (RFC 2181 §8).
  const ttl = raw.ttl > 0x7fffffff ? 0 : raw.ttl
  // Only updates refer to whole rrsets with records without data (RFC 2136 §2.4 and §2.5).
  const mayBeBare = opcode === Opcode.UPDATE && (raw.class === DnsClass.ANY || raw.class === DnsClass.NONE)
  const data = mayBeBare && raw.data.left === 0 ? new Uint8Array(0) : readData(raw)
  return { name: raw.name, type: raw.type, class: raw.class, ttl, data }
}

/** Reads the data of a record. A fault says which record it is in. */
function readData(raw: RawRecord): RecordData {
  try {
    return expandRdata(raw.type, raw.data)
  } catch (error) {
    throw error instanceof DnsFault ? faultIn(raw, error) : error
  }
}

function readAdditionals(reader: WireReader, count: number, opcode: number) {
  const records: WireRecord[] = []
  let edns: Edns | undefined
  let tsig: TsigRecord | undefined
  let upperRcode = 0
  for (let index = 0; index < count; index++) {
    const raw = readRawRecord(reader)
    if (raw.type === RrType.OPT) {
      if (edns !== undefined) throw new DnsFault('bad_message', 'The message has two OPT records.')
      edns = readEdns(raw)
      upperRcode = raw.ttl >>> 24
    } else if (raw.type === RrType.TSIG) {
      if (index !== count - 1) throw new DnsFault('bad_message', 'The TSIG is not the last record.')
      tsig = readTsig(raw)
    } else {
      records.push(zoneRecord(raw, opcode))
    }
  }
  return { records, edns, tsig, upperRcode }
}
