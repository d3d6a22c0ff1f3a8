import type { DomainName } from './name.ts'
import type { RecordData } from './rdata-wire.ts'
import { type Serial, toSerial } from './serial.ts'
import { WireReader } from './wire-reader.ts'
import { WireWriter } from './wire-writer.ts'

/** The data of a SOA record (RFC 1035 §3.3.13). Times in seconds; `minimum` is how long a negative answer may be cached (RFC 2308 §4). */
export interface SoaData {
  readonly mname: DomainName
  readonly rname: DomainName
  readonly serial: Serial
  readonly refresh: number
  readonly retry: number
  readonly expire: number
  readonly minimum: number
}

/** Reused for every SOA. */
const scratch = new WireWriter(512)

/** The record data of a SOA. */
export function soaToRdata(soa: SoaData): RecordData {
  const out = scratch.clear()
  out.name(soa.mname)
  out.name(soa.rname)
  for (const number of [soa.serial, soa.refresh, soa.retry, soa.expire, soa.minimum]) out.u32(number)
  return out.toBytes()
}

/** @throws DnsFault `bad_rdata` if the data is incomplete */
export function soaFromRdata(data: RecordData): SoaData {
  const wire = new WireReader(data)
  return {
    mname: wire.name(),
    rname: wire.name(),
    serial: toSerial(wire.u32()),
    refresh: wire.u32(),
    retry: wire.u32(),
    expire: wire.u32(),
    minimum: wire.u32(),
  }
}
