import { DnsFault } from './faults.ts'
import type { DomainName } from './name.ts'
import { type RrType, toType, typeToText } from './type.ts'
import type { WireReader } from './wire-reader.ts'

/** A record of a message whose data has not been parsed yet (RFC 1035 §4.1.3). */
export interface RawRecord {
  readonly name: DomainName
  readonly type: RrType
  readonly class: number
  readonly ttl: number
  readonly data: WireReader
}

/** The fault with the record that it is in. */
export function faultIn({ name, type }: Pick<RawRecord, 'name' | 'type'>, { code, message }: DnsFault): DnsFault {
  return new DnsFault(code, `${name} ${typeToText(type)}: ${message}`)
}

/** @throws DnsFault of the reader's code if the record is truncated */
export function readRawRecord(reader: WireReader): RawRecord {
  const name = reader.name()
  const type = toType(reader.u16())
  const dnsClass = reader.u16()
  const ttl = reader.u32()
  const length = reader.u16()
  if (length > reader.left) throw faultIn({ name, type }, new DnsFault(reader.code, 'The data ends too early.'))
  return { name, type, class: dnsClass, ttl, data: reader.part(length) }
}
