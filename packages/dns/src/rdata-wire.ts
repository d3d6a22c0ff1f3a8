import { DnsFault } from './faults.ts'
import type { DomainName } from './name.ts'
import { type RrType, typeToText } from './type.ts'
import { type KnownType, recordTypeOf } from './types/table.ts'
import { WireReader } from './wire-reader.ts'
import { WireWriter } from './wire-writer.ts'

/** Record data as stored in memory: uncompressed wire form, with the names of RFC 4034 §6.2 in lower case. Equal data has equal bytes. */
export type RecordData = Uint8Array

/** Longest record data in bytes (RFC 1035 §3.2.1: the length has 16 bits). */
export const maxRdataBytes = 65535

/**
 * Reads received data up to the reader's end, converts it to the form in memory and checks that it is complete. Names may be compressed if the reader
 * allows it.
 *
 * @throws DnsFault of the reader's code
 */
export function expandRdata(type: RrType, reader: WireReader): RecordData {
  const declared = recordTypeOf(type)
  if (declared === undefined || declared.isOpaque) return copied(reader, reader.skip(reader.left))
  const data = declared.foldsCase ? copyFields(declared, reader) : skipFields(declared, reader)
  if (reader.left > 0) throw new DnsFault(reader.code, `The data of a ${typeToText(type)} record is too long.`)
  return data
}

function skipFields(declared: KnownType, reader: WireReader): RecordData {
  const from = reader.at
  for (const field of declared.fields) field.skip(reader)
  return copied(reader, from)
}

/** Copies what was read since `from`. Does not use `slice`, because the `slice` of Node's Buffer is a view, and the buffer of a socket is reused. */
function copied(reader: WireReader, from: number): RecordData {
  return new Uint8Array(reader.wire.subarray(from, reader.at))
}

/** Reused for every record. */
const scratch = new WireWriter(512)

function copyFields(declared: KnownType, reader: WireReader): RecordData {
  const out = scratch.clear()
  for (const field of declared.fields) {
    if (field.embeds === 'compress' || field.embeds === 'lower') {
      out.name(reader.name())
    } else {
      const from = reader.at
      field.skip(reader)
      out.bytes(reader.wire.subarray(from, reader.at))
    }
  }
  return out.toBytes()
}

/** Writes data into a message; names are compressed only for the types of RFC 1035. */
export function writeRdata(type: RrType, data: RecordData, out: WireWriter): void {
  const declared = recordTypeOf(type)
  // Empty data represents a whole rrset in an update (RFC 2136 §2.5.2), whatever the type.
  if (declared === undefined || !declared.isCompressed || data.length === 0) {
    out.bytes(data)
    return
  }
  const reader = new WireReader(data)
  for (const field of declared.fields) {
    if (field.embeds === 'compress') {
      out.compressedName(reader.name())
    } else {
      const from = reader.at
      field.skip(reader)
      out.bytes(data.subarray(from, reader.at))
    }
  }
}

/**
 * The domain names inside the data, in order: MX exchange, NS, SRV target, CNAME, PTR, SOA mname and rname.
 *
 * @throws DnsFault `bad_rdata` if the data is incomplete
 */
export function namesIn(type: RrType, data: RecordData): DomainName[] {
  const declared = recordTypeOf(type)
  if (declared === undefined || !declared.hasNames) return []
  const reader = new WireReader(data)
  const names: DomainName[] = []
  try {
    for (const field of declared.fields) {
      if (field.names !== undefined) names.push(...field.names(reader))
      else if (field.embeds === undefined) field.skip(reader)
      else names.push(reader.name())
    }
  } catch (fault) {
    if (declared.isOpaque && fault instanceof DnsFault) return []
    throw fault
  }
  return names
}

/** Whether two values are the same record data. */
export function equalData(a: RecordData, b: RecordData): boolean {
  if (a.length !== b.length) return false
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false
  return true
}

/** Canonical order within an rrset: byte by byte, shorter first (RFC 4034 §6.3). */
export function compareData(a: RecordData, b: RecordData): number {
  const shared = Math.min(a.length, b.length)
  for (let at = 0; at < shared; at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
