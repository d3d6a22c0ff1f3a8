import { type RecordData, RrType, signatures, toType } from '@zonewright/dns'
import type { Owner, OwnerRrset } from '../tables/owners.ts'

/** Packs names and their rrsets into one piece, as stored on disk. Numbers are in network order. */
export function packOwners(owners: readonly Owner[]): Uint8Array {
  const packed = new Uint8Array(owners.reduce((sum, owner) => sum + packedBytes(owner), 0))
  const view = new DataView(packed.buffer)
  let at = 0
  for (const { name, rrsets: whole } of owners) {
    const rrsets = inPieces(whole)
    packed[at] = name.length
    packed.set(name, at + 1)
    view.setUint16(at + 1 + name.length, rrsets.length)
    at += 3 + name.length
    for (const { type, ttl, data } of rrsets) {
      view.setUint16(at, type)
      view.setUint32(at + 2, ttl)
      view.setUint32(at + 6, data.length)
      at += 10
      for (const record of data) {
        view.setUint16(at, record.length)
        packed.set(record, at + 2)
        at += 2 + record.length
      }
    }
  }
  return packed
}

/** How many bytes a name takes. */
export function packedBytes({ name, rrsets }: Owner): number {
  let bytes = 3 + name.length
  for (const { data } of inPieces(rrsets)) {
    bytes += 10
    for (const record of data) bytes += 2 + record.length
  }
  return bytes
}

/** Rrsets whose records have one TTL each. Only signatures may have several TTLs. */
function inPieces(rrsets: readonly OwnerRrset[]): readonly OwnerRrset[] {
  return rrsets.some(({ ttls }) => ttls !== undefined) ? rrsets.flatMap(byTtl) : rrsets
}

/** Splits an rrset into pieces with one TTL each. */
function byTtl(rrset: OwnerRrset): readonly OwnerRrset[] {
  const { type, ttls, data } = rrset
  if (ttls === undefined) return [rrset]
  return [...new Set(ttls)].map((ttl) => ({ type, ttl, data: data.filter((_, i) => ttls[i] === ttl) }))
}

/** Joins the consecutive pieces of `byTtl` into one rrset again. */
function joined(pieces: readonly OwnerRrset[]): OwnerRrset[] {
  const parts = pieces.filter(({ type }) => type === RrType.RRSIG)
  if (parts.length < 2) return [...pieces]
  const records = parts.flatMap(({ ttl, data }) => data.map((item) => ({ ttl, data: item })))
  const whole = { type: RrType.RRSIG, ...signatures(records) }
  return pieces.flatMap((piece) => (piece === parts[0] ? [whole] : parts.includes(piece) ? [] : [piece]))
}

/** The reverse of {@link packOwners}, with the data as views; `undefined` if the lengths do not add up. */
export function unpackOwners(packed: Uint8Array): Owner[] | undefined {
  try {
    return unpack(packed)
  } catch (error) {
    // The read went past the end.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function unpack(packed: Uint8Array): Owner[] | undefined {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  const owners: Owner[] = []
  let at = 0
  while (at < packed.length) {
    const length = view.getUint8(at)
    const name = packed.subarray(at + 1, at + 1 + length)
    const count = view.getUint16(at + 1 + length)
    at += 3 + length
    const rrsets: OwnerRrset[] = []
    for (let each = 0; each < count; each++) {
      const data: RecordData[] = []
      const records = view.getUint32(at + 6)
      rrsets.push({ type: toType(view.getUint16(at)), ttl: view.getUint32(at + 2), data })
      at += 10
      for (let record = 0; record < records; record++) {
        const end = at + 2 + view.getUint16(at)
        data.push(packed.subarray(at + 2, end))
        at = end
      }
    }
    owners.push({ name, rrsets: joined(rrsets) })
  }
  return at === packed.length ? owners : undefined
}

/**
 * A key whose byte order is the canonical order of names (RFC 4034 §6.1). It has the labels from right to left, each followed by a zero. The bytes 0
 * and 1 within a label become two bytes.
 */
export function canonicalKey(name: Uint8Array): Uint8Array {
  const labels: number[][] = []
  for (let at = 0; (name[at] ?? 0) !== 0; at += (name[at] ?? 0) + 1) {
    const label: number[] = []
    for (const byte of name.subarray(at + 1, at + 1 + (name[at] ?? 0))) {
      if (byte < 2) label.push(1, byte + 1)
      else label.push(byte)
    }
    labels.push([...label, 0])
  }
  return Uint8Array.from(labels.reverse().flat())
}
