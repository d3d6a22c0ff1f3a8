import { DnsFault } from './faults.ts'
import {
  DnsClass,
  type Edns,
  type EdnsOption,
  type Message,
  type Question,
  type TsigRecord,
  type WireRecord,
} from './message.ts'
import { type DomainName, rootName } from './name.ts'
import { expandRdata } from './rdata-wire.ts'
import { RrType, toType } from './type.ts'
import { WireReader } from './wire-reader.ts'

/** Bytes of a message's header (RFC 1035 §4.1.1). */
export const headerBytes = 12

/**
 * Reads a whole message, every record of a known type checked to be well-formed.
 *
 * Whatever the bytes, it returns or throws in time in proportion to their number. A TSIG must be the last record
 * (RFC 8945 §5.1), an OPT stand alone (RFC 6891 §6.1.1), and nothing follow the last record.
 *
 * @throws DnsFault `bad_message`
 */
export function parseMessage(wire: Uint8Array): Message {
  const reader = new WireReader(wire, 0, wire.length, 'bad_message')
  const id = reader.u16()
  const flags = reader.u16()
  const [questionCount, answerCount, authorityCount, additionalCount] = [
    reader.u16(),
    reader.u16(),
    reader.u16(),
    reader.u16(),
  ]
  const questions = Array.from(repeat(questionCount), () => readQuestion(reader))
  const answers = Array.from(repeat(answerCount), () => readRecord(reader))
  const authorities = Array.from(repeat(authorityCount), () => readRecord(reader))
  const extras = readAdditionals(reader, additionalCount)
  if (reader.left > 0) throw new DnsFault('bad_message', 'The message has bytes after its last record.')
  return {
    id,
    qr: (flags & 0x8000) !== 0,
    opcode: (flags >> 11) & 15,
    aa: (flags & 0x0400) !== 0,
    tc: (flags & 0x0200) !== 0,
    rd: (flags & 0x0100) !== 0,
    ra: (flags & 0x0080) !== 0,
    ad: (flags & 0x0020) !== 0,
    cd: (flags & 0x0010) !== 0,
    rcode: (flags & 15) | (extras.upperRcode << 4),
    questions,
    answers: answers.map(zoneRecord),
    authorities: authorities.map(zoneRecord),
    additionals: extras.records,
    ...(extras.edns === undefined ? {} : { edns: extras.edns }),
    ...(extras.tsig === undefined ? {} : { tsig: extras.tsig }),
  }
}

/** Counts up to `count` without reserving anything: the count is the sender's word alone. */
function* repeat(count: number): Iterable<number> {
  for (let index = 0; index < count; index++) yield index
}

export function readQuestion(reader: WireReader): Question {
  return { name: reader.name(true), type: toType(reader.u16()), class: reader.u16() }
}

/** A record whose data is still to be read, at `from` up to `to`. */
export interface RawRecord {
  readonly wire: Uint8Array
  readonly name: DomainName
  readonly type: RrType
  readonly class: number
  readonly ttl: number
  readonly from: number
  readonly to: number
}

export function readRecord(reader: WireReader): RawRecord {
  const name = reader.name(true)
  const type = toType(reader.u16())
  const dnsClass = reader.u16()
  const ttl = reader.u32()
  const from = reader.skip(reader.u16())
  return { wire: reader.wire, name, type, class: dnsClass, ttl, from, to: reader.at }
}

function zoneRecord(raw: RawRecord): WireRecord {
  if (raw.type === RrType.OPT || raw.type === RrType.TSIG) {
    throw new DnsFault('bad_message', 'OPT and TSIG belong in the additional section.')
  }
  // A TTL with its highest bit set counts as zero (RFC 2181 §8).
  const ttl = raw.ttl > 0x7fffffff ? 0 : raw.ttl
  // Updates name whole rrsets by records without data (RFC 2136 §2.4 and §2.5).
  const isBare = raw.from === raw.to && (raw.class === DnsClass.ANY || raw.class === DnsClass.NONE)
  const data = isBare ? new Uint8Array(0) : expandRdata(raw.type, raw.wire, raw.from, raw.to, true, 'bad_message')
  return { name: raw.name, type: raw.type, class: raw.class, ttl, data }
}

function readAdditionals(reader: WireReader, count: number) {
  const records: WireRecord[] = []
  let edns: Edns | undefined
  let tsig: TsigRecord | undefined
  let upperRcode = 0
  for (let index = 0; index < count; index++) {
    const raw = readRecord(reader)
    if (raw.type === RrType.OPT) {
      if (edns !== undefined) throw new DnsFault('bad_message', 'The message has two OPT records.')
      edns = readEdns(raw)
      upperRcode = raw.ttl >>> 24
    } else if (raw.type === RrType.TSIG) {
      if (index !== count - 1) throw new DnsFault('bad_message', 'The TSIG is not the last record.')
      tsig = readTsig(raw)
    } else {
      records.push(zoneRecord(raw))
    }
  }
  return { records, edns, tsig, upperRcode }
}

function readEdns(raw: RawRecord): Edns {
  if (raw.name !== rootName) throw new DnsFault('bad_message', 'The OPT record does not belong to the root.')
  const reader = new WireReader(raw.wire, raw.from, raw.to, 'bad_message')
  const options: EdnsOption[] = []
  while (reader.left > 0) {
    const code = reader.u16()
    options.push({ code, data: new Uint8Array(reader.bytes(reader.u16())) })
  }
  return { udpSize: raw.class, version: (raw.ttl >>> 16) & 0xff, dnssecOk: (raw.ttl & 0x8000) !== 0, options }
}

export function readTsig(raw: RawRecord): TsigRecord {
  if (raw.class !== DnsClass.ANY || raw.ttl !== 0) {
    throw new DnsFault('bad_message', 'The TSIG record has not the class ANY and the TTL 0.')
  }
  const reader = new WireReader(raw.wire, raw.from, raw.to, 'bad_message')
  const algorithm = reader.name(true)
  const timeSigned = reader.u48()
  const fudge = reader.u16()
  const mac = new Uint8Array(reader.bytes(reader.u16()))
  const originalId = reader.u16()
  const error = reader.u16()
  const otherData = new Uint8Array(reader.bytes(reader.u16()))
  if (reader.left > 0) throw new DnsFault('bad_message', 'The TSIG record is too long.')
  return { keyName: raw.name, algorithm, timeSigned, fudge, mac, originalId, error, otherData }
}
