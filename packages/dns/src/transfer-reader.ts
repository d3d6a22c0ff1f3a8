import { DnsClass } from './dns-class.ts'
import { DnsFault } from './faults.ts'
import type { Message, WireRecord } from './message.ts'
import { type DomainName, isWithin } from './name.ts'
import { groupRecords, type ResourceRecord, type Rrset, recordInWords } from './rrset.ts'
import { type Serial, serialNewer } from './serial.ts'
import { soaFromRdata } from './soa.ts'
import { isMetaType, RrType } from './type.ts'

/** One step of an incremental transfer. The SOAs are included, so that a step is a `ZoneDiff` for `Zone.apply`. */
export interface TransferStep {
  readonly from: Serial
  readonly to: Serial
  readonly removed: ResourceRecord[]
  readonly added: ResourceRecord[]
}

/** The result of a whole transfer. A server may answer IXFR by a `full` zone (RFC 1995 §4). */
export type TransferOutcome =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'full'; readonly rrsets: Rrset[]; readonly serial: Serial }
  | { readonly kind: 'steps'; readonly steps: readonly TransferStep[]; readonly serial: Serial }

/** A limit for a server that never ends the transfer. It is far above the size of any zone hosted here. */
const defaultMaxRecords = 20_000_000

/**
 * Combines the messages of one transfer (RFC 5936, RFC 1995). The caller verifies the signature of each message first, and must not use the result
 * before the signature of the last message is verified.
 */
export class TransferReader {
  readonly #origin: DomainName
  readonly #kind: 'axfr' | 'ixfr'
  readonly #haveSerial: Serial | undefined
  readonly #maxRecords: number
  #newSoa: SoaRecord | undefined
  #mode: 'unknown' | 'full' | 'removing' | 'adding' = 'unknown'
  #zone: ResourceRecord[] = []
  #steps: TransferStep[] = []
  #recordCount = 0
  #outcome: TransferOutcome | undefined

  constructor(
    origin: DomainName,
    kind: 'axfr' | 'ixfr',
    haveSerial?: Serial | undefined,
    options: { maxRecords?: number } = {},
  ) {
    this.#origin = origin
    this.#kind = kind
    this.#haveSerial = haveSerial
    this.#maxRecords = options.maxRecords ?? defaultMaxRecords
  }

  /**
   * Reads the next message. Returns the result once the transfer is complete, and `undefined` until then.
   *
   * @throws DnsFault `bad_message` for an error code, a wrong order, or a sequence that does not ascend from our serial; `out_of_zone` for data
   * outside the zone. The transfer has then failed.
   */
  feed(message: Message): TransferOutcome | undefined {
    if (this.#outcome !== undefined) throw broken('a message comes after the end')
    this.#checkHeader(message)
    for (const record of message.answers) {
      if (this.#outcome !== undefined) throw broken('a record comes after the end')
      if (++this.#recordCount > this.#maxRecords) throw broken(`it has more than ${this.#maxRecords} records`)
      this.#checkRecord(record)
      this.#take({ name: record.name, type: record.type, ttl: record.ttl, data: record.data })
    }
    this.#outcome ??= this.#unchanged()
    return this.#outcome
  }

  #checkHeader(message: Message): void {
    if (!message.qr) throw broken('a message is no answer')
    if (message.rcode !== 0) throw broken(`the server refuses with code ${message.rcode}`)
    if (message.tc) throw broken('a message is truncated')
    const asked = message.questions[0]
    const type = this.#kind === 'axfr' ? RrType.AXFR : RrType.IXFR
    if (asked !== undefined && (asked.name !== this.#origin || asked.type !== type)) {
      throw broken('a message answers another question')
    }
    if (message.answers.length === 0) throw broken('a message is empty')
  }

  #checkRecord(record: WireRecord): void {
    if (record.class !== DnsClass.IN || isMetaType(record.type))
      throw broken(`${recordInWords(record)} cannot be in a zone`)
    if (!isWithin(record.name, this.#origin)) {
      throw new DnsFault('out_of_zone', `The transfer of ${this.#origin} has ${recordInWords(record)}`)
    }
    if (record.type === RrType.SOA && record.name !== this.#origin)
      throw broken(`${recordInWords(record)} is not at the apex`)
  }

  #take(record: ResourceRecord): void {
    const soa = record.type === RrType.SOA ? { record, serial: soaFromRdata(record.data).serial } : undefined
    const newSoa = this.#newSoa
    if (newSoa === undefined) {
      if (soa === undefined) throw broken('it does not begin with the SOA')
      this.#newSoa = soa
      return
    }
    if (this.#mode === 'unknown') this.#mode = this.#begin(newSoa, soa)
    if (this.#mode === 'full') this.#takeFull(record, newSoa, soa)
    else this.#takeStep(record, newSoa, soa)
  }

  /** A second SOA with our serial begins differences; anything else begins a whole zone. */
  #begin(newSoa: SoaRecord, soa: SoaRecord | undefined): 'full' | 'adding' {
    if (this.#kind === 'axfr' || soa === undefined || soa.serial === newSoa.serial) {
      this.#zone.push(newSoa.record)
      return 'full'
    }
    return 'adding'
  }

  #takeFull(record: ResourceRecord, newSoa: SoaRecord, soa: SoaRecord | undefined): void {
    if (soa === undefined) {
      this.#zone.push(record)
      return
    }
    if (soa.serial !== newSoa.serial) throw broken('it ends with another serial than it began with')
    const rrsets = groupRecords(this.#zone)
    this.#zone = []
    this.#outcome = { kind: 'full', rrsets, serial: newSoa.serial }
  }

  #takeStep(record: ResourceRecord, newSoa: SoaRecord, soa: SoaRecord | undefined): void {
    const step = this.#steps.at(-1)
    if (soa === undefined) {
      if (step === undefined) throw broken('its order is wrong')
      ;(this.#mode === 'removing' ? step.removed : step.added).push(record)
    } else if (this.#mode === 'removing' && step !== undefined) {
      if (!serialNewer(soa.serial, step.from)) throw broken('its serials do not go up')
      this.#steps[this.#steps.length - 1] = { ...step, to: soa.serial, added: [record] }
      this.#mode = 'adding'
    } else if (step !== undefined && step.to === newSoa.serial) {
      if (soa.serial !== newSoa.serial) throw broken('it continues after the newest serial')
      this.#outcome = { kind: 'steps', steps: this.#steps, serial: newSoa.serial }
    } else {
      const expected = step === undefined ? this.#haveSerial : step.to
      if (soa.serial !== expected) throw broken('its steps do not follow on each other from our serial')
      this.#steps.push({ from: soa.serial, to: soa.serial, removed: [record], added: [] })
      this.#mode = 'removing'
    }
  }

  /** A lone SOA that is not newer than ours says that nothing changed (RFC 1995 §2). */
  #unchanged(): TransferOutcome | undefined {
    const have = this.#haveSerial
    const isLone = this.#newSoa !== undefined && this.#mode === 'unknown'
    if (this.#kind === 'axfr' || !isLone || have === undefined) return undefined
    return serialNewer(this.#newSoa?.serial ?? have, have) ? undefined : { kind: 'unchanged' }
  }
}

interface SoaRecord {
  readonly record: ResourceRecord
  readonly serial: Serial
}

function broken(why: string): DnsFault {
  return new DnsFault('bad_message', `The transfer is broken: ${why}.`)
}
