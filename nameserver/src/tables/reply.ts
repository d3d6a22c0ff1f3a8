import { RrType } from '@zonewright/dns'
import { bytesBeforeNames, compressedNames } from './compile-name.ts'
import {
  entryAnswer,
  entrySigned,
  entryType,
  nodeHead,
  nodeName,
  questionAt,
  recordHeadBytes,
  wordOf,
} from './layout.ts'
import type { NameFinder } from './name-finder.ts'

/** A compression pointer has 14 bits. */
export const pointerReach = 0x4000
/** What is written past the end of an answer if its zone changes at the same time. The answer then starts over. */
export const slackBytes = 512

/**
 * An answer while it is built in place, after its question.
 *
 * Rrsets are added whole. The first one that does not fit sets TC, and nothing is added after it.
 */
export class Reply {
  readonly bytes: DataView
  readonly #finder: NameFinder
  /** The beginning of the message, the position of its next record, and the limit of its records. */
  at = 0
  next = 0
  end = 0
  rcode = 0
  /** The extended error code (RFC 8914) of the response; 0 for none. */
  infoCode = 0
  answers = 0
  authorities = 0
  additionals = 0
  isAuthoritative = false
  isTruncated = false
  /** The zone's name, which ends the name in the question. */
  apexAt = 0
  apexLength = 0

  constructor(finder: NameFinder) {
    this.#finder = finder
    this.bytes = finder.bytes
  }

  begin(at: number, next: number, end: number): void {
    this.at = at
    this.next = next
    this.end = end
    this.rcode = 0
    this.infoCode = 0
    this.answers = 0
    this.authorities = 0
    this.additionals = 0
    this.isAuthoritative = true
    this.isTruncated = false
  }

  /**
   * Copies the rrset of `entry` as it is stored, for the query name. With `isSigned`, also copies its signatures, which are stored after it.
   *
   * @returns how many records were added.
   */
  copy(node: number, entry: number, isSigned: boolean): number {
    const words = this.#finder.segment(node)
    const answer = words[entry + entryAnswer] ?? 0
    let length = answer >>> 16
    let ref = node
    let from = wordOf(node) + (answer & 0xffff)
    if (length === 0) {
      ref = words[from] ?? 0
      length = words[from + 1] ?? 0
      from = wordOf(ref)
    }
    let count = (words[entry + entryType] ?? 0) >>> 16
    if (isSigned) {
      const signed = words[entry + entrySigned] ?? 0
      length += signed & 0xffff
      count += signed >>> 16
    }
    const to = this.next
    if (to + length > this.end) {
      this.isTruncated = true
      return 0
    }
    copyBytes(this.bytes, to, this.#finder.view(ref), from * 4, length)
    this.next = to + length
    return count
  }

  /**
   * Writes the rrset of `entry` under the name at `ownerAt` in this message, and adjusts the pointers in its data. With `isSigned`, also writes its
   * signatures. @returns how many records were added.
   */
  move(node: number, entry: number, ownerAt: number, isSigned: boolean): number {
    const words = this.#finder.segment(node)
    return this.#move(node, entry, ownerAt, plainBytes(words, wordOf(node), entry), isSigned)
  }

  /** Writes only the signatures of `entry`. @returns how many were added. */
  moveSignatures(node: number, entry: number, ownerAt: number): number {
    return this.#move(node, entry, ownerAt, 0, true)
  }

  /** `plain` is how many bytes of the rrset itself are added, all or none. */
  #move(node: number, entry: number, ownerAt: number, plain: number, isSigned: boolean): number {
    if (this.isTruncated) return 0
    const words = this.#finder.segment(node)
    const nodeAt = wordOf(node)
    const answer = words[entry + entryAnswer] ?? 0
    const signed = isSigned ? (words[entry + entrySigned] ?? 0) : 0
    const count = (plain === 0 ? 0 : (words[entry + entryType] ?? 0) >>> 16) + (signed >>> 16)
    const length = plain + (signed & 0xffff)
    const start = this.next
    // If a pointer cannot reach the owner name, each record repeats it. This happens only to addresses of nameservers, whose data has no names.
    const isNear = ownerAt - this.at < pointerReach
    const more = isNear ? 0 : ((words[nodeAt + nodeHead] ?? 0) & 0xff) - this.apexLength
    const end = start + length + more * count
    if (end > this.end) {
      this.isTruncated = true
      return 0
    }
    const isInside = answer >>> 16 !== 0
    const ref = isInside ? node : (words[nodeAt + (answer & 0xffff)] ?? 0)
    const skipped = plainBytes(words, nodeAt, entry) - plain
    const from = (isInside ? nodeAt + (answer & 0xffff) : wordOf(ref)) * 4 + skipped
    const { bytes } = this
    const to = end - length
    copyBytes(bytes, to, this.#finder.view(ref), from, length)
    if (isNear) {
      // While the zone changes, the bytes may not match the entry. The answer then starts over.
      for (let record = start; record + recordHeadBytes <= end; ) {
        const next = record + recordHeadBytes + bytes.getUint16(record + 10)
        bytes.setUint16(record, 0xc000 | (ownerAt - this.at))
        this.#pointNames(record, Math.min(next, end), ownerAt)
        record = next
      }
    } else {
      this.#spread(words, nodeAt, to, start, more, count)
    }
    this.next = end
    return count
  }

  /**
   * Writes an NSEC or NSEC3 rrset with its signatures, under its own name: the labels before the zone's name, and a pointer to the zone's name in the
   * message. @returns how many records were added.
   */
  addProof(node: number, entry: number): number {
    if (this.isTruncated) return 0
    const words = this.#finder.segment(node)
    const at = wordOf(node)
    const prefix = ((words[at + nodeHead] ?? 0) & 0xff) - this.apexLength
    const signed = words[entry + entrySigned] ?? 0
    const length = plainBytes(words, at, entry) + (signed & 0xffff)
    const start = this.next
    // If a pointer cannot reach the name, each record repeats it.
    const isNear = start - this.at < pointerReach
    const count = ((words[entry + entryType] ?? 0) >>> 16) + (signed >>> 16)
    const total = length + (isNear ? prefix : prefix * count)
    if (start + total > this.end) {
      this.isTruncated = true
      return 0
    }
    const answer = words[entry + entryAnswer] ?? 0
    const isInside = answer >>> 16 !== 0
    const ref = isInside ? node : (words[at + (answer & 0xffff)] ?? 0)
    const pointer = 0xc000 | (this.apexAt - this.at)
    // The name ends in a pointer of two bytes, and the stored records begin with such a pointer.
    const to = start + total - length
    copyBytes(this.bytes, to, this.#finder.view(ref), (isInside ? at + (answer & 0xffff) : wordOf(ref)) * 4, length)
    if (isNear) {
      copyBytes(this.bytes, start, this.#finder.view(node), (at + nodeName) * 4, prefix)
      this.bytes.setUint16(to, pointer)
      const own = prefix === 0 ? pointer : 0xc000 | (start - this.at)
      let record = to + recordHeadBytes + this.bytes.getUint16(to + 10)
      for (let each = 1; each < count; each++) {
        this.bytes.setUint16(record, own)
        record += recordHeadBytes + this.bytes.getUint16(record + 10)
      }
    } else {
      this.#spread(words, at, to, start, prefix, count)
    }
    this.next = start + total
    return count
  }

  /** Moves `count` records from `from` back to `to`, each after the first `prefix` bytes of the name and a pointer to the zone's name. */
  #spread(words: Int32Array, node: number, from: number, to: number, prefix: number, count: number): void {
    const { bytes } = this
    const pointer = 0xc000 | (this.apexAt - this.at)
    let [record, next] = [from, to]
    for (let each = 0; each < count; each++) {
      const size = recordHeadBytes + bytes.getUint16(record + 10)
      for (let index = 0; index < prefix; index++) bytes.setUint8(next + index, byteOfName(words, node, index))
      next += prefix
      for (let index = 2; index < size; index++) bytes.setUint8(next + index, bytes.getUint8(record + index))
      bytes.setUint16(next, pointer)
      next += size
      record += size
    }
  }

  /** Writes the CNAME that a DNAME synthesizes, from the name at `ownerAt` to the name of `length` bytes at `targetAt` (RFC 6672 §3.1). */
  addCname(ownerAt: number, ttl: number, targetAt: number, length: number): number {
    if (this.isTruncated || this.next + recordHeadBytes + length > this.end) {
      this.isTruncated = true
      return 0
    }
    const { bytes, next } = this
    bytes.setUint16(next, 0xc000 | (ownerAt - this.at))
    bytes.setUint16(next + 2, RrType.CNAME)
    bytes.setUint16(next + 4, 1)
    bytes.setUint32(next + 6, ttl)
    bytes.setUint16(next + 10, length)
    for (let index = 0; index < length; index++) bytes.setUint8(next + 12 + index, bytes.getUint8(targetAt + index))
    this.next = next + recordHeadBytes + length
    return 1
  }

  /** The position in this message of the part of the name at `nameAt` that begins `skip` bytes after its start. */
  partOf(nameAt: number, skip: number): number {
    const { bytes } = this
    let at = nameAt
    for (let left = skip; ; ) {
      const size = bytes.getUint8(at)
      if (size >= 0xc0) {
        at = this.at + (bytes.getUint16(at) & 0x3fff)
        continue
      }
      if (left <= 0 || size === 0) return at
      left -= size + 1
      at += size + 1
    }
  }

  /** Adjusts the pointers in the data of the record from `record` to `end`, which point into its owner name as if it were the query name. */
  #pointNames(record: number, end: number, ownerAt: number): void {
    const { bytes } = this
    const type = bytes.getUint16(record + 2)
    let at = record + recordHeadBytes + bytesBeforeNames(type)
    for (let names = compressedNames(type); names > 0 && at < end; names--) {
      let size = bytes.getUint8(at)
      for (; size > 0 && size < 0xc0 && at < end; size = bytes.getUint8(at)) at += size + 1
      if (size >= 0xc0) {
        const skip = (bytes.getUint16(at) & 0x3fff) - questionAt
        bytes.setUint16(at++, 0xc000 | (this.partOf(ownerAt, skip) - this.at))
      }
      at++
    }
  }
}

/** Copies `length` bytes, eight at a time. */
export function copyBytes(bytes: DataView, to: number, source: DataView, from: number, length: number): void {
  const last = length - 8
  let done = 0
  for (; done < last; done += 8) bytes.setBigInt64(to + done, source.getBigInt64(from + done, true), true)
  // The last eight bytes may overlap those before them.
  if (last >= 0) bytes.setBigInt64(to + last, source.getBigInt64(from + last, true), true)
  else for (; done < length; done++) bytes.setUint8(to + done, source.getUint8(from + done))
}

/** The length of the rrset of an entry in bytes, without its signatures. */
function plainBytes(words: Int32Array, node: number, entry: number): number {
  const answer = words[entry + entryAnswer] ?? 0
  return answer >>> 16 || (words[node + (answer & 0xffff) + 1] ?? 0)
}

/** One byte of the name of a node. */
function byteOfName(words: Int32Array, node: number, index: number): number {
  // The machine is little-endian, as the doors require.
  return ((words[node + nodeName + (index >> 2)] ?? 0) >>> ((index & 3) << 3)) & 0xff
}
