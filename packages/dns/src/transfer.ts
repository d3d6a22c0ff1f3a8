import { copyQuestionCase, maxMessageBytes, writeHeader, writeQuestion, writeRecord } from './build-message.ts'
import { DnsClass } from './dns-class.ts'
import { type Edns, writeEdns } from './edns.ts'
import { DnsFault } from './faults.ts'
import { type Message, Opcode, Rcode, responseTo, toWireRecord } from './message.ts'
import type { DomainName } from './name.ts'
import { type ResourceRecord, type Rrset, recordsOf } from './rrset.ts'
import { RrType, typeToText } from './type.ts'
import { WireWriter } from './wire-writer.ts'

/** One step of an incremental transfer (RFC 1995 §4). The records removed and added are without the SOAs. */
export interface IxfrStep {
  readonly oldSoa: ResourceRecord
  readonly removed: Iterable<ResourceRecord>
  readonly newSoa: ResourceRecord
  readonly added: Iterable<ResourceRecord>
}

/**
 * The records of a whole zone as a transfer sends them: SOA first and last (RFC 5936 §2.2).
 *
 * @throws DnsFault `bad_zone` if the first rrset is not an SOA
 */
export function* axfrAnswers(zoneRrsets: Iterable<Rrset>): Generator<ResourceRecord> {
  let soa: ResourceRecord | undefined
  for (const rrset of zoneRrsets) {
    const records = recordsOf(rrset)
    soa ??= records[0]
    if (soa?.type !== RrType.SOA) throw new DnsFault('bad_zone', 'A transfer begins with the SOA.')
    yield* records
  }
  if (soa === undefined) throw new DnsFault('bad_zone', 'A zone without records cannot be transferred.')
  yield soa
}

/** The records of an incremental transfer; without steps, they show that the client is up to date (RFC 1995 §2 and §4). */
export function* ixfrAnswers(newSoa: ResourceRecord, steps: Iterable<IxfrStep>): Generator<ResourceRecord> {
  yield newSoa
  let hasSteps = false
  for (const step of steps) {
    hasSteps = true
    yield step.oldSoa
    yield* step.removed
    yield step.newSoa
    yield* step.added
  }
  if (hasSteps) yield newSoa
}

/** Messages stay within the reach of compression pointers, so that every name in them can be one. */
const defaultMessageBytes = 16384
/** Space in a message with one long record that is kept free for the TSIG that the caller adds. */
const tsigReserveBytes = 800

/**
 * Packs records into responses to a transfer query, as few as possible of at most 16 KiB each. A longer record gets its own message. The caller signs
 * each message. Only the first one repeats the question (RFC 5936 §2.2.1), and has the OPT.
 *
 * @throws DnsFault `bad_message` if one record is longer than the maximum message
 */
export function* transferMessages(
  query: Message,
  queryWire: Uint8Array,
  records: Iterable<ResourceRecord>,
  options: { maxSize?: number | undefined; edns?: Edns | undefined } = {},
): Generator<Uint8Array> {
  const maxSize = options.maxSize ?? defaultMessageBytes
  let packer = new TransferPacker(query, { wire: queryWire, edns: options.edns })
  for (const record of records) {
    if (packer.add(record, maxSize)) continue
    yield packer.finish()
    packer = new TransferPacker(query)
    packer.add(record, maxSize)
  }
  yield packer.finish()
}

/** One message of a transfer while it is built. */
class TransferPacker {
  readonly #out = new WireWriter(defaultMessageBytes + 512)
  readonly #questionCount: number
  readonly #queryWire: Uint8Array | undefined
  /** What comes after the records. */
  readonly #tail = new WireWriter(16)
  #answerCount = 0

  /** `first` is given for the message that repeats the question, which is spelled as in the query's wire form. */
  constructor(query: Message, first?: { wire: Uint8Array; edns: Edns | undefined }) {
    const questions = first === undefined ? [] : query.questions
    this.#queryWire = first?.wire
    if (first?.edns) writeEdns(first.edns, Rcode.NOERROR, this.#tail)
    writeHeader(responseTo(query, { aa: true, questions }), this.#out)
    for (const question of questions) writeQuestion(question, this.#out)
    this.#questionCount = questions.length
  }

  /** Whether the record still fitted; the first one may be as long as a message can be. */
  add(record: ResourceRecord, maxSize: number): boolean {
    const before = this.#out.length
    writeRecord(toWireRecord(record), this.#out)
    const isFirst = this.#answerCount === 0
    if (this.#out.length + this.#tail.length > (isFirst ? maxMessageBytes - tsigReserveBytes : maxSize)) {
      this.#out.rollBack(before)
      if (isFirst)
        throw new DnsFault('bad_message', `${typeToText(record.type)} of ${record.name} is too long to transfer.`)
      return false
    }
    this.#answerCount++
    return true
  }

  finish(): Uint8Array {
    this.#out.patchU16(4, this.#questionCount)
    this.#out.patchU16(6, this.#answerCount)
    this.#out.patchU16(10, this.#tail.length > 0 ? 1 : 0)
    this.#out.append(this.#tail)
    const wire = this.#out.toBytes()
    if (this.#queryWire !== undefined && this.#questionCount > 0) copyQuestionCase(this.#queryWire, wire)
    return wire
  }
}

/** NOTIFY for a zone, with the SOA as a hint if given (RFC 1996 §3.7). */
export function notifyMessage(id: number, origin: DomainName, soa?: ResourceRecord): Message {
  const query = request(id, origin, RrType.SOA)
  return { ...query, opcode: Opcode.NOTIFY, aa: true, answers: soa === undefined ? [] : [toWireRecord(soa)] }
}

/** A query for the SOA of a zone. */
export function soaQuery(id: number, origin: DomainName): Message {
  return request(id, origin, RrType.SOA)
}

/** A query for the whole zone (RFC 5936 §2.1). */
export function axfrQuery(id: number, origin: DomainName): Message {
  return request(id, origin, RrType.AXFR)
}

/** A query for the changes since the given SOA (RFC 1995 §3). */
export function ixfrQuery(id: number, origin: DomainName, soa: ResourceRecord): Message {
  return { ...request(id, origin, RrType.IXFR), authorities: [toWireRecord(soa)] }
}

function request(id: number, name: DomainName, type: RrType): Message {
  return {
    id,
    qr: false,
    opcode: Opcode.QUERY,
    aa: false,
    tc: false,
    rd: false,
    ra: false,
    ad: false,
    cd: false,
    rcode: 0,
    questions: [{ name, type, class: DnsClass.IN }],
    answers: [],
    authorities: [],
    additionals: [],
  }
}
