import type { RecordData } from '../rdata-wire.ts'
import { WireReader } from '../wire-reader.ts'
import { WireWriter } from '../wire-writer.ts'

/** The data of a DNSKEY record (RFC 4034 §2.1). `publicKey` is in the form of the algorithm's RFC. */
export interface DnskeyData {
  readonly flags: number
  /** Always 3. */
  readonly protocol: number
  readonly algorithm: number
  readonly publicKey: Uint8Array
}

/** Flags of a DNSKEY: it may sign the zone (RFC 4034 §2.1.1), is revoked (RFC 5011 §3), or is the key that a DS names (RFC 4034 §2.1.1). */
export const KeyFlag = { ZONE: 0x100, REVOKED: 0x80, SECURE_ENTRY_POINT: 1 } as const

export function dnskeyToRdata({ flags, protocol, algorithm, publicKey }: DnskeyData): RecordData {
  const out = new WireWriter(4 + publicKey.length)
  out.u16(flags)
  out.u8(protocol)
  out.u8(algorithm)
  out.bytes(publicKey)
  return out.toBytes()
}

/** @throws DnsFault `bad_rdata` if the data is incomplete */
export function dnskeyFromRdata(data: RecordData): DnskeyData {
  const wire = new WireReader(data)
  return { flags: wire.u16(), protocol: wire.u8(), algorithm: wire.u8(), publicKey: wire.bytes(wire.left) }
}

/** The tag by which signatures and DS records identify a key, given the data of its DNSKEY (RFC 4034 appendix B). Keys may share a tag. */
export function keyTag(data: RecordData): number {
  // For RSA/MD5, the tag is part of the modulus (RFC 4034 §B.1).
  if (data[3] === rsaMd5) return ((data.at(-3) ?? 0) << 8) | (data.at(-2) ?? 0)
  let sum = 0
  for (let at = 0; at < data.length; at++) sum += (at & 1) === 0 ? (data[at] ?? 0) << 8 : (data[at] ?? 0)
  return (sum + (sum >>> 16)) & 0xffff
}

const rsaMd5 = 1
