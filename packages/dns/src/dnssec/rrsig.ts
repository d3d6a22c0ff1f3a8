import type { DomainName } from '../name.ts'
import type { RecordData } from '../rdata-wire.ts'
import { type RrType, toType } from '../type.ts'
import { WireReader } from '../wire-reader.ts'
import { WireWriter } from '../wire-writer.ts'

/** The data of an RRSIG record (RFC 4034 §3.1). Times are in seconds since 1970, modulo 2³². */
export interface RrsigData {
  readonly covered: RrType
  readonly algorithm: number
  /**
   * Number of labels of the owner name, without the root and a leading `*`. If there are fewer than the name has, the name was expanded from a
   * wildcard.
   */
  readonly labels: number
  readonly originalTtl: number
  readonly expiration: number
  readonly inception: number
  readonly keyTag: number
  readonly signer: DomainName
  readonly signature: Uint8Array
}

export function rrsigToRdata(rrsig: RrsigData): RecordData {
  const out = new WireWriter(64 + rrsig.signature.length)
  putRrsigHead(rrsig, out)
  out.bytes(rrsig.signature)
  return out.toBytes()
}

/** The data without the signature, which the signature covers (RFC 4034 §3.1.8.1). */
export function putRrsigHead(rrsig: Omit<RrsigData, 'signature'>, out: WireWriter): void {
  out.u16(rrsig.covered)
  out.u8(rrsig.algorithm)
  out.u8(rrsig.labels)
  out.u32(rrsig.originalTtl)
  out.u32(rrsig.expiration)
  out.u32(rrsig.inception)
  out.u16(rrsig.keyTag)
  // A `DomainName` is in lower case, as RFC 6840 §5.1 requires.
  out.name(rrsig.signer)
}

/** @throws DnsFault `bad_rdata` if the data is incomplete */
export function rrsigFromRdata(data: RecordData): RrsigData {
  const wire = new WireReader(data)
  return {
    covered: toType(wire.u16()),
    algorithm: wire.u8(),
    labels: wire.u8(),
    originalTtl: wire.u32(),
    expiration: wire.u32(),
    inception: wire.u32(),
    keyTag: wire.u16(),
    signer: wire.name(),
    signature: wire.bytes(wire.left),
  }
}
