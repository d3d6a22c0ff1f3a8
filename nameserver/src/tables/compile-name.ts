import { coveredType, type RecordData, RrType, recordsOf, rootName, signatures } from '@zonewright/dns'
import type { Arena } from './arena.ts'
import {
  entriesAt,
  entryAnswer,
  entrySigned,
  entryType,
  entryWords,
  hashesAt,
  longestInlineAnswer,
  nodeHasDname,
  nodeHasNs,
  nodeHasNsec,
  nodeHead,
  nodeIsApex,
  nodeIsHashed,
  nodeName,
  nodeZone,
  questionAt,
  recordHeadBytes,
  wordOf,
} from './layout.ts'
import { hashWords } from './name-hash.ts'
import type { OwnerRrset } from './owners.ts'
import { byteOf } from './segments.ts'
import { labelStarts } from './wire-name.ts'
import type { ZoneHashing } from './zone-hashing.ts'

const classIn = 1
const largestCount = 0xffff
/** The words that replace an answer in a separate block: a reference and the length. */
const outsideWords = 2
/** Answers that would begin after this byte have separate blocks. */
const longestInside = 0x20000
/** Longer answers cannot be inside a block, because an entry has 16 bits for their length. The same applies to their signatures. */
const longestAnswer = 0xffff
/** The words of an SOA rrset with its signatures, which are always inside the block, and of the answers before it: five types have lower numbers. */
const wordsToSoa = Math.ceil((2 * longestAnswer + 5 * longestInlineAnswer) / 4)
/**
 * Maximum number of types of a name. If every answer but those up to the SOA is in a separate block, the last one still begins within reach of the 16
 * bits of an entry. Without an SOA, answers inside the block end long before that.
 */
export const mostTypes = Math.floor(
  (0xffff - entriesAt(0, 0xff) - 2 * hashWords - wordsToSoa) / (entryWords + outsideWords),
)

/**
 * Builds the block of one name. It contains the rrsets as they are copied into an answer, and each owner name is a pointer to the question.
 *
 * Names within the data are compressed against the owner name where RFC 3597 §4 allows it. For a wildcard, nothing is compressed, because the query
 * name has a different length.
 */
export class NameCompiler {
  readonly #arena: Arena
  #bytes = new Uint8Array(8192)
  #words = new Int32Array(this.#bytes.buffer)
  #at = 0
  /** The owner name, and the offsets of its labels. */
  #owner: Uint8Array = new Uint8Array(0)
  readonly #starts = new Uint8Array(128)
  readonly #isStart = new Uint8Array(256)
  #mayCompress = true

  constructor(arena: Arena) {
    this.#arena = arena
  }

  /**
   * `rrsets` are those of a name that `refuseOwner` accepts.
   *
   * @returns the reference of a new block for `owner`, a name in wire form and lower case; with `hashing`, its hashes are in it.
   */
  compile(
    zone: number,
    owner: Uint8Array,
    rrsets: readonly OwnerRrset[],
    isApex: boolean,
    hashing: ZoneHashing | undefined,
  ): number {
    const answers = withSignatures(rrsets)
    this.#begin(zone, owner, answers, isApex, hashing)
    for (const [index, answer] of answers.entries()) this.#addAnswer(index, answer)
    const size = this.#at
    const ref = this.#arena.allocate(size)
    this.#arena.segments.bytesOf(ref).set(this.#bytes.subarray(0, size), byteOf(ref))
    return ref
  }

  #begin(
    zone: number,
    owner: Uint8Array,
    answers: readonly SignedAnswer[],
    isApex: boolean,
    hashing: ZoneHashing | undefined,
  ): void {
    this.#owner = owner
    this.#mayCompress = !isWildcardWire(owner)
    if (this.#mayCompress) {
      this.#isStart.fill(0)
      const labels = labelStarts(owner, 0, this.#starts)
      for (let label = 0; label < labels; label++) this.#isStart[this.#starts[label] ?? 0] = 1
    }
    let head = owner.length | (answers.length << 16)
    if (isApex) head |= nodeIsApex
    for (const { rrset } of answers) {
      if (rrset.type === RrType.NS) head |= nodeHasNs
      if (rrset.type === RrType.DNAME) head |= nodeHasDname
      if (rrset.type === RrType.NSEC) head |= nodeHasNsec
    }
    if (hashing !== undefined) head |= nodeIsHashed
    const hashes = hashesAt(0, head)
    const end = hashes + (hashing === undefined ? 0 : 2 * hashWords)
    this.#at = 0
    this.#reserve(end * 4)
    this.#words[nodeZone] = zone
    this.#words[nodeHead] = head
    this.#words[entriesAt(0, head) - 1] = 0
    this.#bytes.set(owner, nodeName * 4)
    if (hashing !== undefined) {
      hashing.hash(owner, this.#words, hashes)
      hashing.hashWildcard(owner, this.#words, hashes + hashWords)
    }
    this.#at = end * 4
  }

  #addAnswer(index: number, { rrset, signatures }: SignedAnswer): void {
    const { type, data } = rrset
    const from = this.#at
    this.#addRecords(rrset)
    let length = this.#at - from
    if (signatures !== undefined) this.#addRecords(signatures)
    const signedBytes = this.#at - from - length
    const isLong = length + signedBytes > longestInlineAnswer || from > longestInside
    // Nodes stay within the reach of 16 bits, whatever the zone contains. The SOA stays where negative answers find it.
    if (isLong && (type !== RrType.SOA || length > longestAnswer)) {
      this.#moveOut(from, length, signedBytes)
      length = 0
    }
    this.#align()
    const entry = entriesAt(0, this.#words[nodeHead] ?? 0) + index * entryWords
    this.#words[entry + entryType] = type | (Math.min(data.length, largestCount) << 16)
    this.#words[entry + entryAnswer] = (from >> 2) | (length << 16)
    this.#words[entry + entrySigned] = signedBytes | (Math.min(signatures?.data.length ?? 0, largestCount) << 16)
  }

  #addRecords({ type, ttl, ttls, data }: OwnerRrset): void {
    let each = 0
    for (const item of data) this.#addRecord(type, ttls?.[each++] ?? ttl, item)
  }

  #addRecord(type: number, ttl: number, data: RecordData): void {
    this.#reserve(recordHeadBytes + data.length)
    const at = this.#at
    putU16(this.#bytes, at, 0xc000 | questionAt)
    putU16(this.#bytes, at + 2, type)
    putU16(this.#bytes, at + 4, classIn)
    putU16(this.#bytes, at + 6, ttl >>> 16)
    putU16(this.#bytes, at + 8, ttl)
    this.#at = at + recordHeadBytes
    this.#addData(type, data)
    putU16(this.#bytes, at + 10, this.#at - at - recordHeadBytes)
  }

  #addData(type: number, data: RecordData): void {
    const names = this.#mayCompress ? compressedNames(type) : 0
    let from = names === 0 ? data.length : bytesBeforeNames(type)
    this.#copy(data, 0, from)
    for (let name = 0; name < names; name++) from = this.#addName(data, from)
    if (names > 0) this.#copy(data, from, data.length)
  }

  /** Writes the name at `from`. The longest suffix that it shares with the owner name becomes a pointer. @returns the offset after it. */
  #addName(data: RecordData, from: number): number {
    const owner = this.#owner
    let end = from
    while ((data[end] ?? 0) !== 0) end += (data[end] ?? 0) + 1
    end++
    for (let label = from; end - label > 1; label += (data[label] ?? 0) + 1) {
      const start = owner.length - (end - label)
      if (start < 0 || this.#isStart[start] === 0 || !endsWith(owner, start, data, label)) continue
      this.#copy(data, from, label)
      putU16(this.#bytes, this.#at, 0xc000 | (questionAt + start))
      this.#at += 2
      return end
    }
    this.#copy(data, from, end)
    return end
  }

  /** Moves a long answer and its signatures to a separate block. */
  #moveOut(from: number, length: number, signedBytes: number): void {
    const ref = this.#arena.allocate(length + signedBytes + 3)
    this.#arena.segments.bytesOf(ref).set(this.#bytes.subarray(from, from + length + signedBytes), byteOf(ref))
    this.#words[from >> 2] = ref
    this.#words[(from >> 2) + 1] = length
    this.#at = from + outsideWords * 4
  }

  #copy(data: RecordData, from: number, to: number): void {
    for (let index = from; index < to; index++) this.#bytes[this.#at++] = data[index] ?? 0
  }

  #align(): void {
    this.#reserve(8)
    while ((this.#at & 3) !== 0) this.#bytes[this.#at++] = 0
  }

  #reserve(more: number): void {
    if (this.#at + more + 8 <= this.#bytes.length) return
    const grown = new Uint8Array(Math.ceil((this.#at + more + 8) / 4096) * 8192)
    grown.set(this.#bytes)
    this.#bytes = grown
    this.#words = new Int32Array(grown.buffer)
  }
}

/** An rrset and the signatures over it. */
interface SignedAnswer {
  readonly rrset: OwnerRrset
  readonly signatures?: OwnerRrset | undefined
}

/** Each rrset with its signatures. Signatures that cover no rrset here form a separate rrset. */
function withSignatures(rrsets: readonly OwnerRrset[]): SignedAnswer[] {
  const rrsig = rrsets.find(({ type }) => type === RrType.RRSIG)
  if (rrsig === undefined) return rrsets.map((rrset) => ({ rrset }))
  const unused = Map.groupBy(recordsOf({ name: rootName, ...rrsig }), ({ data }) => coveredType(data))
  const answers: SignedAnswer[] = []
  for (const rrset of rrsets) {
    if (rrset === rrsig) continue
    const own = unused.get(rrset.type)
    unused.delete(rrset.type)
    answers.push({ rrset, signatures: own && { type: RrType.RRSIG, ...signatures(own) } })
  }
  const others = [...unused.values()].flat()
  if (others.length === 0) return answers
  const at = answers.findIndex(({ rrset }) => rrset.type > RrType.RRSIG)
  return answers.toSpliced(at < 0 ? answers.length : at, 0, { rrset: { type: RrType.RRSIG, ...signatures(others) } })
}

/** How many names at the beginning of the data, after the preference of MX, may be compressed (RFC 3597 §4). */
export function compressedNames(type: number): number {
  if (type === RrType.NS || type === RrType.CNAME || type === RrType.PTR || type === RrType.MX) return 1
  return type === RrType.SOA ? 2 : 0
}

/** How many bytes come before the first name in the data. */
export function bytesBeforeNames(type: number): number {
  return type === RrType.MX ? 2 : 0
}

export function isWildcardWire(name: Uint8Array): boolean {
  return name[0] === 1 && name[1] === 0x2a
}

/** Frees a block that the compiler built, and the blocks of its long answers. */
export function retireName(arena: Arena, ref: number): void {
  const words = arena.segments.wordsOf(ref)
  const at = wordOf(ref)
  const head = words[at + nodeHead] ?? 0
  const entries = entriesAt(at, head)
  let end = hashesAt(at, head) - at + ((head & nodeIsHashed) === 0 ? 0 : 2 * hashWords)
  for (let entry = entries; entry < entries + (head >>> 16) * entryWords; entry += entryWords) {
    const answer = words[entry + entryAnswer] ?? 0
    const from = answer & 0xffff
    const length = answer >>> 16
    const signedBytes = (words[entry + entrySigned] ?? 0) & 0xffff
    end = from + ((length + signedBytes + 3) >> 2)
    if (length !== 0 || (words[entry + entryType] ?? 0) >>> 16 === 0) continue
    arena.retire(words[at + from] ?? 0, (words[at + from + 1] ?? 0) + signedBytes + 3)
    end = from + outsideWords
  }
  arena.retire(ref, end * 4)
}

function endsWith(owner: Uint8Array, start: number, data: Uint8Array, label: number): boolean {
  for (let index = start; index < owner.length; index++) if (owner[index] !== data[label + index - start]) return false
  return true
}

function putU16(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 8
  bytes[at + 1] = value
}
