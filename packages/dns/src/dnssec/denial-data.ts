import type { DomainName } from '../name.ts'
import type { RecordData } from '../rdata-wire.ts'
import type { RrType } from '../type.ts'
import { WireReader } from '../wire-reader.ts'
import { WireWriter } from '../wire-writer.ts'
import type { Nsec3Parameters } from './nsec3-hash.ts'
import { readTypeBitmap, typeBitmap } from './type-bitmap.ts'

/** The data of an NSEC record (RFC 4034 §4.1). */
export interface NsecData {
  readonly next: DomainName
  readonly types: readonly RrType[]
}

/** The data of an NSEC3 record (RFC 5155 §3). */
export interface Nsec3Data extends Nsec3Parameters {
  /** The hash of the next name. */
  readonly next: Uint8Array
  readonly types: readonly RrType[]
}

/** The only flag of NSEC3: names in its span may be unsigned delegations (RFC 5155 §3.1.2.1). */
export const optOutFlag = 1

export function nsecToRdata({ next, types }: NsecData): RecordData {
  const out = new WireWriter()
  out.name(next)
  out.bytes(typeBitmap(types))
  return out.toBytes()
}

/** @throws DnsFault `bad_rdata` if the data is incomplete */
export function nsecFromRdata(data: RecordData): NsecData {
  const wire = new WireReader(data)
  return { next: wire.name(), types: readTypeBitmap(wire) }
}

export function nsec3ToRdata({ next, types, ...parameters }: Nsec3Data): RecordData {
  const out = new WireWriter()
  putParameters(parameters, out)
  out.u8(next.length)
  out.bytes(next)
  out.bytes(typeBitmap(types))
  return out.toBytes()
}

/** @throws DnsFault `bad_rdata` if the data is incomplete */
export function nsec3FromRdata(data: RecordData): Nsec3Data {
  const wire = new WireReader(data)
  const parameters = readParameters(wire)
  return { ...parameters, next: wire.bytes(wire.u8()), types: readTypeBitmap(wire) }
}

/** The data of an NSEC3PARAM record (RFC 5155 §4.2). */
export function nsec3ParametersToRdata(parameters: Nsec3Parameters): RecordData {
  const out = new WireWriter()
  putParameters(parameters, out)
  return out.toBytes()
}

/** @throws DnsFault `bad_rdata` if the data is incomplete */
export function nsec3ParametersFromRdata(data: RecordData): Nsec3Parameters {
  return readParameters(new WireReader(data))
}

function putParameters({ algorithm, flags, iterations, salt }: Nsec3Parameters, out: WireWriter): void {
  out.u8(algorithm)
  out.u8(flags)
  out.u16(iterations)
  out.u8(salt.length)
  out.bytes(salt)
}

function readParameters(wire: WireReader): Nsec3Parameters {
  return { algorithm: wire.u8(), flags: wire.u8(), iterations: wire.u16(), salt: wire.bytes(wire.u8()) }
}
