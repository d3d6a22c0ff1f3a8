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
  recordHeadBytes,
  wordOf,
} from './layout.ts'
import type { OwnerRrset } from './owners.ts'
import { byteOf, type Segments } from './segments.ts'

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
    for (let at = 0; at < records.length; at = endOf(records, at)) {
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
  return entry && { name, ...rrsetOf(ownerOf(segments, ref), entry) }
}

/** All rrsets of a name, by type. The signatures are one of them. */
export function readOwnerRrsets(segments: Segments, ref: number): OwnerRrset[] {
  const owner = ownerOf(segments, ref)
  const entries = entriesOf(segments, ref)
  if (!isSigned(segments, ref)) return entries.map((entry) => rrsetOf(owner, entry))
  const signed = entries.flatMap(({ type, answer, signatures }) =>
    signaturesIn(owner, type === RrType.RRSIG ? answer : signatures),
  )
  const rrsets = entries.filter(({ type }) => type !== RrType.RRSIG).map((entry) => rrsetOf(owner, entry))
  const rrsig = { type: RrType.RRSIG, ...signatures(signed) }
  const at = rrsets.findIndex(({ type }) => type > RrType.RRSIG)
  return rrsets.toSpliced(at < 0 ? rrsets.length : at, 0, rrsig)
}

const none = new Uint8Array(0)

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
    const signed = (words[entry + entrySigned] ?? 0) & 0xffff
    return {
      type: (words[entry + entryType] ?? 0) & 0xffff,
      answer: bytes.subarray(start, behind),
      signatures: signed === 0 ? none : bytes.subarray(behind, behind + signed),
    }
  })
}

/** All records of an rrset have the TTL of the first one. */
function rrsetOf(owner: Uint8Array, { type, answer }: Entry): OwnerRrset {
  const data: RecordData[] = []
  for (let at = 0; at < answer.length; at = endOf(answer, at)) data.push(dataAt(type, answer, at, owner))
  return { type: toType(type), ttl: ttlAt(answer, 0), data }
}

function signaturesIn(owner: Uint8Array, bytes: Uint8Array): { readonly ttl: number; readonly data: RecordData }[] {
  const signed: { ttl: number; data: RecordData }[] = []
  for (let at = 0; at < bytes.length; at = endOf(bytes, at))
    signed.push({ ttl: ttlAt(bytes, at), data: dataAt(RrType.RRSIG, bytes, at, owner) })
  return signed
}

/** Where the record at `at` ends. */
function endOf(bytes: Uint8Array, at: number): number {
  return at + recordHeadBytes + u16(bytes, at + 10)
}

function ttlAt(bytes: Uint8Array, at: number): number {
  return u32(bytes, at + 6)
}

/** The data of the record at `at`, with uncompressed names. */
function dataAt(type: number, bytes: Uint8Array, start: number, owner: Uint8Array): RecordData {
  const from = start + recordHeadBytes
  const to = endOf(bytes, start)
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
      for (let byte = (u16(bytes, at) & 0x3fff) - questionAt; byte < owner.length; byte++) out.push(owner[byte] ?? 0)
      at += 2
    }
  }
  copy(to)
  return new Uint8Array(out)
}

function u32(bytes: Uint8Array, at: number): number {
  return u16(bytes, at) * 0x10000 + u16(bytes, at + 2)
}

function u16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
}
