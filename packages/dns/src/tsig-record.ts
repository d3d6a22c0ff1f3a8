import { DnsClass } from './dns-class.ts'
import { DnsFault } from './faults.ts'
import type { DomainName } from './name.ts'
import type { RawRecord } from './raw-record.ts'
import { RrType } from './type.ts'
import { WireWriter } from './wire-writer.ts'

/** The TSIG record (RFC 8945 §4.2). Times in seconds. */
export interface TsigRecord {
  readonly keyName: DomainName
  readonly algorithm: DomainName
  readonly timeSigned: number
  readonly fudge: number
  readonly mac: Uint8Array
  readonly originalId: number
  readonly error: number
  readonly otherData: Uint8Array
}

/** @throws DnsFault `bad_message` */
export function readTsig(raw: RawRecord): TsigRecord {
  if (raw.class !== DnsClass.ANY || raw.ttl !== 0) {
    throw new DnsFault('bad_message', 'The TSIG record has not the class ANY and the TTL 0.')
  }
  const reader = raw.data
  const algorithm = reader.name()
  const timeSigned = reader.u48()
  const fudge = reader.u16()
  const mac = new Uint8Array(reader.bytes(reader.u16()))
  const originalId = reader.u16()
  const error = reader.u16()
  const otherData = new Uint8Array(reader.bytes(reader.u16()))
  if (reader.left > 0) throw new DnsFault('bad_message', 'The TSIG record is too long.')
  return { keyName: raw.name, algorithm, timeSigned, fudge, mac, originalId, error, otherData }
}

/** Writes a TSIG record; its names are never compressed (RFC 8945 §4.2). */
export function writeTsig(tsig: TsigRecord, out: WireWriter): void {
  out.name(tsig.keyName)
  out.u16(RrType.TSIG)
  out.u16(DnsClass.ANY)
  out.u32(0)
  const lengthAt = out.length
  out.u16(0)
  out.name(tsig.algorithm)
  out.u48(tsig.timeSigned)
  out.u16(tsig.fudge)
  out.u16(tsig.mac.length)
  out.bytes(tsig.mac)
  out.u16(tsig.originalId)
  out.u16(tsig.error)
  out.u16(tsig.otherData.length)
  out.bytes(tsig.otherData)
  out.patchU16(lengthAt, out.length - lengthAt - 2)
}

/** Reused for every message. */
const scratch = new WireWriter(1024)

/** Appends the record to the message, which must not have one yet. */
export function appendTsig(wire: Uint8Array, tsig: TsigRecord): Uint8Array {
  const out = scratch.clear()
  out.bytes(wire)
  writeTsig(tsig, out)
  out.patchU16(10, (((wire[10] ?? 0) << 8) | (wire[11] ?? 0)) + 1)
  return out.toBytes()
}

/** The fields that a MAC covers in addition to the message (RFC 8945 §4.3.3). */
export function writeTsigVariables(tsig: TsigRecord, out: WireWriter): void {
  out.name(tsig.keyName)
  out.u16(DnsClass.ANY)
  out.u32(0)
  out.name(tsig.algorithm)
  writeTsigTimers(tsig, out)
  out.u16(tsig.error)
  out.u16(tsig.otherData.length)
  out.bytes(tsig.otherData)
}

/** The subset of these fields that the MACs of the later messages of a transfer cover (RFC 8945 §5.3.1). */
export function writeTsigTimers(tsig: TsigRecord, out: WireWriter): void {
  out.u48(tsig.timeSigned)
  out.u16(tsig.fudge)
}
