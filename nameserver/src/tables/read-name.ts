import { type DomainName, type RecordData, type Rrset, RrType, signatures, toType } from '@zonewright/dns'
import { bytesBeforeNames, compressedNames } from './compile-name.ts'
import { entriesAt, entryAnswer, entryType, entryWords, nodeHead, nodeName, questionAt, wordOf } from './layout.ts'
import type { OwnerRrset } from './owners.ts'
import { byteOf, type Segments } from './segments.ts'

const recordHeadBytes = 12

/** The wire form of the name of a block, as a view. */
export function ownerOf(segments: Segments, ref: number): Uint8Array {
  const length = (segments.wordsOf(ref)[wordOf(ref) + nodeHead] ?? 0) & 0xff
  const from = byteOf(ref) + nodeName * 4
  return segments.bytesOf(ref).subarray(from, from + length)
}

/** How many records a name has in all. */
export function recordsAt(segments: Segments, ref: number): number {
  const words = segments.wordsOf(ref)
  const at = wordOf(ref)
  const head = words[at + nodeHead] ?? 0
  const first = entriesAt(at, head)
  let count = 0
  for (let entry = first; entry < first + (head >>> 16) * entryWords; entry += entryWords) {
    count += (words[entry + entryType] ?? 0) >>> 16
  }
  return count
}

/** The rrset of one type, read back out of its answer; `undefined` when the name has none. */
export function readRrset(segments: Segments, ref: number, name: DomainName, type: number): Rrset | undefined {
  const entry = entriesOf(segments, ref).find((each) => each.type === type)
  return entry && { name, ...decode(segments, ref, entry) }
}

/** All rrsets of a name, by type. */
export function readOwnerRrsets(segments: Segments, ref: number): OwnerRrset[] {
  return entriesOf(segments, ref).map((entry) => decode(segments, ref, entry))
}

interface Entry {
  readonly type: number
  readonly answer: Uint8Array
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
    const length = answer >>> 16
    const outside = words[from] ?? 0
    return {
      type: (words[entry + entryType] ?? 0) & 0xffff,
      answer:
        length > 0
          ? segments.bytesOf(ref).subarray(from * 4, from * 4 + length)
          : segments.bytesOf(outside).subarray(byteOf(outside), byteOf(outside) + (words[from + 1] ?? 0)),
    }
  })
}

function decode(segments: Segments, ref: number, { type, answer }: Entry): OwnerRrset {
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
  if (type === RrType.RRSIG) return { type: RrType.RRSIG, ...signatures(records) }
  return { type: toType(type), ttl: records[0]?.ttl ?? 0, data: records.map(({ data }) => data) }
}

/** The data with their names written out. */
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

function u16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
}
