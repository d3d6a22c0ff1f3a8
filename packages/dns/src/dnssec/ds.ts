import type { DomainName } from '../name.ts'
import { nameToWire } from '../name-wire.ts'
import type { RecordData } from '../rdata-wire.ts'
import { WireReader } from '../wire-reader.ts'
import { WireWriter } from '../wire-writer.ts'
import type { DnssecHashes } from './crypto.ts'
import { dnskeyFromRdata, keyTag } from './dnskey.ts'

/** The data of a DS record (RFC 4034 §5.1). */
export interface DsData {
  readonly keyTag: number
  readonly algorithm: number
  readonly digestType: number
  readonly digest: Uint8Array
}

/** Digest types (RFC 4034 §A.2, RFC 4509, RFC 6605). */
export const DigestType = { SHA1: 1, SHA256: 2, SHA384: 4 } as const

/** @throws DnsFault `bad_rdata` if the data is incomplete */
export function dsFromRdata(data: RecordData): DsData {
  const wire = new WireReader(data)
  return { keyTag: wire.u16(), algorithm: wire.u8(), digestType: wire.u8(), digest: wire.bytes(wire.left) }
}

/** The DS record of a zone's key: `key` is the data of its DNSKEY. Undefined if the digest type is unknown. */
export function dsOf(
  zone: DomainName,
  key: RecordData,
  digestType: number,
  hashes: DnssecHashes,
): RecordData | undefined {
  const digest = keyDigest(zone, key, digestType, hashes)
  if (digest === undefined) return undefined
  const out = new WireWriter(4 + digest.length)
  out.u16(keyTag(key))
  out.u8(dnskeyFromRdata(key).algorithm)
  out.u8(digestType)
  out.bytes(digest)
  return out.toBytes()
}

/** The digest of the owner name and the data of a DNSKEY (RFC 4034 §5.1.4). Undefined if the digest type is unknown. */
export function keyDigest(
  zone: DomainName,
  key: RecordData,
  digestType: number,
  { sha1, sha256, sha384 }: DnssecHashes,
): Uint8Array | undefined {
  const hash = { [DigestType.SHA1]: sha1, [DigestType.SHA256]: sha256, [DigestType.SHA384]: sha384 }[digestType]
  const owner = nameToWire(zone)
  const hashed = new Uint8Array(owner.length + key.length)
  hashed.set(owner)
  hashed.set(key, owner.length)
  return hash?.(hashed)
}

/** Whether `keyDigest` supports a digest type. */
export function isKnownDigest(digestType: number): boolean {
  return Object.values<number>(DigestType).includes(digestType)
}
