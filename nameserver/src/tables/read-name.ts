import { type DomainName, type RecordData, type Rrset, RrType, signatures, toType } from '@zonewright/dns'
import { bytesBeforeNames, compressedNames } from './compile-name.ts'
import {
  entriesAt,
  entryAnswer,
  entrySigned,
  entryType,
  entryWords,
  nodeHead,
  nodeName,
  questionAt,
  wordOf,
} from './layout.ts'
import type { OwnerRrset } from './owners.ts'
import { byteOf, type Segments } from './segments.ts'

const recordHeadBytes = 12
/** The offset of the expiration in a signature, after the type covered, algorithm, labels and original TTL. */
const expirationAt = recordHeadBytes + 8

/** The wire form of the name of a block, as a view. */
export function ownerOf(segments: Segments, ref: number): Uint8Array {
  const length = (segments.wordsOf(ref)[wordOf(ref) + nodeHead] ?? 0) & 0xff
  const from = byteOf(ref) + nodeName * 4
  return segments.bytesOf(ref).subarray(from, from + length)
}

/** How many records a name has in total. */
export function recordsAt(segments: Segments, ref: number): number {
  const words = segments.wordsOf(ref)
  const at = wordOf(ref)
  const head = words[at + nodeHead] ?? 0
  const first = entriesAt(at, head)
  let count = 0
  for (let entry = first; entry < first + (head >>> 16) * entryWords; entry += entryWords) {
    count += ((words[entry + entryType] ?? 0) >>> 16) + ((words[entry + entrySigned] ?? 0) >>> 16)
  }
  return count
}

/** The signatures of a name: their number, and when the first one expires, in the format of signatures (RFC 4034 §3.1.5). */
export function signaturesAt(segments: Segments, ref: number): { readonly count: number; readonly expiry: number } {
  if (!isSigned(segments, ref)) return unsigned
  let count = 0
  let expiry = 0
  const add = (records: Uint8Array) => {
    for (let at = 0; at < records.length; at += recordHeadBytes + u16(records, at + 10)) {
      const own = u32(records, at + expirationAt)
      if (count++ === 0 || isEarlier(own, expiry)) expiry = own
    }
  }
  for (const { type, answer, signatures } of entriesOf(segments, ref)) add(type === RrType.RRSIG ? answer : signatures)
  return { count, expiry }
}

const unsigned = { count: 0, expiry: 0 } as const

/** Whether a name has signatures, known without reading its records. */
function isSigned(segments: Segments, ref: number): boolean {
  const words = segments.wordsOf(ref)
  const at = wordOf(ref)
  const head = words[at + nodeHead] ?? 0
  const first = entriesAt(at, head)
  for (let entry = first; entry < first + (head >>> 16) * entryWords; entry += entryWords) {
    if ((words[entry + entrySigned] ?? 0) !== 0 || ((words[entry + entryType] ?? 0) & 0xffff) === RrType.RRSIG)
      return true
  }
  return false
}

/** Whether one time of a signature is before another. They are 32-bit numbers that wrap around (RFC 4034 §3.1.5). */
export function isEarlier(a: number, b: number): boolean {
  return ((a - b) | 0) < 0
}

/** The rrset of one type, decoded from its answer; `undefined` if the name has none. */
export function readRrset(segments: Segments, ref: number, name: DomainName, type: number): Rrset | undefined {
  if (type === RrType.RRSIG) {
    const rrsig = readOwnerRrsets(segments, ref).find((rrset) => rrset.type === type)
    return rrsig && { name, ...rrsig }
  }
  const entry = entriesOf(segments, ref).find((each) => each.type === type)
  return entry && { name, ...rrsetOf(segments, ref, entry) }
}

/** All rrsets of a name, by type. The signatures are one of them. */
export function readOwnerRrsets(segments: Segments, ref: number): OwnerRrset[] {
  const entries = entriesOf(segments, ref)
  const signed = entries.flatMap((entry) => {
    const covered = recordsIn(segments, ref, RrType.RRSIG, entry.signatures)
    return entry.type === RrType.RRSIG ? recordsIn(segments, ref, entry.type, entry.answer) : covered
  })
  const rrsets = entries.filter(({ type }) => type !== RrType.RRSIG).map((entry) => rrsetOf(segments, ref, entry))
  if (signed.length === 0) return rrsets
  const rrsig = { type: RrType.RRSIG, ...signatures(signed) }
  const at = rrsets.findIndex(({ type }) => type > RrType.RRSIG)
  return rrsets.toSpliced(at < 0 ? rrsets.length : at, 0, rrsig)
}

interface Entry {
  readonly type: number
  readonly answer: Uint8Array
  readonly signatures: Uint8Array
}

function entriesOf(segments: Segments, ref: number): Entry[] {
  const words = segments.wordsOf(ref)
  const at = wordOf(ref)
  const head = words[at + nodeHead] ?? 0
  const first = entriesAt(at, head)
  return Array.from({ length: head >>> 16 }, (_, index) => {
    const entry = first + index * entryWords
    const answer = words[entry + entryAnswer] ?? 0
    const from = at + (answer & 0xffff)
    const isInside = answer >>> 16 > 0
    const outside = words[from] ?? 0
    const bytes = segments.bytesOf(isInside ? ref : outside)
    const start = isInside ? from * 4 : byteOf(outside)
    const behind = start + (isInside ? answer >>> 16 : (words[from + 1] ?? 0))
    return {
      type: (words[entry + entryType] ?? 0) & 0xffff,
      answer: bytes.subarray(start, behind),
      signatures: bytes.subarray(behind, behind + ((words[entry + entrySigned] ?? 0) & 0xffff)),
    }
  })
}

function rrsetOf(segments: Segments, ref: number, { type, answer }: Entry): OwnerRrset {
  const records = recordsIn(segments, ref, type, answer)
  return { type: toType(type), ttl: records[0]?.ttl ?? 0, data: records.map(({ data }) => data) }
}

function recordsIn(
  segments: Segments,
  ref: number,
  type: number,
  answer: Uint8Array,
): { readonly ttl: number; readonly data: RecordData }[] {
  const owner = ownerOf(segments, ref)
  const records: { ttl: number; data: RecordData }[] = []
  for (let at = 0; at < answer.length; ) {
    const from = at + recordHeadBytes
    const to = from + u16(answer, at + 10)
    records.push({
      ttl: u16(answer, at + 6) * 0x10000 + u16(answer, at + 8),
      data: expand(type, answer, from, to, owner),
    })
    at = to
  }
  return records
}

/** The data with uncompressed names. */
function expand(type: number, bytes: Uint8Array, from: number, to: number, owner: Uint8Array): RecordData {
  const names = compressedNames(type)
  if (names === 0) return bytes.slice(from, to)
  const out: number[] = []
  let at = from
  const copy = (end: number) => {
    while (at < end) out.push(bytes[at++] ?? 0)
  }
  copy(from + bytesBeforeNames(type))
  for (let name = 0; name < names; name++) {
    let size = bytes[at] ?? 0
    for (; size > 0 && size < 0xc0; size = bytes[at] ?? 0) copy(at + size + 1)
    if (size === 0) {
      copy(at + 1)
    } else {
      out.push(...owner.subarray((u16(bytes, at) & 0x3fff) - questionAt))
      at += 2
    }
  }
  copy(to)
  return Uint8Array.from(out)
}

function u32(bytes: Uint8Array, at: number): number {
  return u16(bytes, at) * 0x10000 + u16(bytes, at + 2)
}

function u16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
}
