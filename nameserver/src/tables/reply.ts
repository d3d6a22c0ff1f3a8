import { RrType } from '@zonewright/dns'
import { bytesBeforeNames, compressedNames } from './compile-name.ts'
import { entryAnswer, entrySigned, entryType, nodeHead, nodeName, questionAt, wordOf } from './layout.ts'
import type { NameFinder } from './name-finder.ts'

const recordHeadBytes = 12
/** A compression pointer has 14 bits. */
export const pointerReach = 0x4000
/** After the longest answer, the buffer must have room for one uncompressed owner name. */
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
    let from = wordOf(node) + (answer & 0xffff)
    let source = words
    if (length === 0) {
      const ref = words[from] ?? 0
      length = words[from + 1] ?? 0
      source = this.#finder.segment(ref)
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
    // Copies up to three bytes too many. The next write overwrites them.
    for (let done = 0; done < length; done += 4) this.bytes.setInt32(to + done, source[from++] ?? 0, true)
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
    let from = (wordOf(node) + ((words[entry + entryAnswer] ?? 0) & 0xffff)) * 4
    let source = this.#finder.segments.bytesOf(node)
    const stored = plainBytes(words, wordOf(node), entry)
    if ((words[entry + entryAnswer] ?? 0) >>> 16 === 0) {
      const ref = words[from >> 2] ?? 0
      this.#finder.segment(ref)
      source = this.#finder.segments.bytesOf(ref)
      from = wordOf(ref) * 4
    }
    const end = from + stored + (isSigned ? (words[entry + entrySigned] ?? 0) & 0xffff : 0)
    from += stored - plain
    const start = this.next
    let count = 0
    for (; from < end; count++) {
      const dataBytes = ((source[from + 10] ?? 0) << 8) | (source[from + 11] ?? 0)
      if (this.next + recordHeadBytes + dataBytes <= this.end) {
        const type = ((source[from + 2] ?? 0) << 8) | (source[from + 3] ?? 0)
        this.#putOwner(words, wordOf(node), ownerAt)
        for (let index = 2; index < recordHeadBytes; index++) this.#putByte(source[from + index] ?? 0)
        this.#moveData(source, from + recordHeadBytes, from + recordHeadBytes + dataBytes, type, ownerAt)
      } else {
        this.next = this.end + 1
      }
      if (this.next > this.end) {
        this.next = start
        this.isTruncated = true
        return 0
      }
      from += recordHeadBytes + dataBytes
    }
    return count
  }

  /**
   * Writes an NSEC or NSEC3 rrset with its signatures, under its own name: the labels before the zone's name, and a pointer to the zone's name in the
   * message. @returns how many records were added.
   */
  addProof(node: number, entry: number, apexAt: number, apexLength: number): number {
    if (this.isTruncated) return 0
    const words = this.#finder.segment(node)
    const at = wordOf(node)
    const prefix = ((words[at + nodeHead] ?? 0) & 0xff) - apexLength
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
    const source = this.#finder.segment(ref)
    let from = isInside ? at + (answer & 0xffff) : wordOf(ref)
    const pointer = 0xc000 | (apexAt - this.at)
    // The name ends in a pointer of two bytes, and the stored records begin with such a pointer. So the records are copied over it, word by word.
    const to = start + prefix
    for (let done = 0; done < length; done += 4) this.bytes.setInt32(to + done, source[from++] ?? 0, true)
    if (isNear) {
      for (let index = 0; index < prefix; index++) this.bytes.setUint8(start + index, byteOfName(words, at, index))
      this.bytes.setUint16(to, pointer)
      const own = prefix === 0 ? pointer : 0xc000 | (start - this.at)
      let record = to + recordHeadBytes + this.bytes.getUint16(to + 10)
      for (let each = 1; each < count; each++) {
        this.bytes.setUint16(record, own)
        record += recordHeadBytes + this.bytes.getUint16(record + 10)
      }
    } else {
      this.#spread(words, at, to, length, prefix, count, pointer)
    }
    this.next = start + total
    return count
  }

  /** Inserts the name before each of the records that end at `to + length`, beginning with the last one, which moves into the free space after it. */
  #spread(
    words: Int32Array,
    node: number,
    to: number,
    length: number,
    prefix: number,
    count: number,
    pointer: number,
  ): void {
    const { bytes } = this
    let target = to - prefix + length + prefix * count
    for (let each = count - 1; each >= 0; each--) {
      let record = to
      for (let before = 0; before < each; before++) record += recordHeadBytes + bytes.getUint16(record + 10)
      const size = recordHeadBytes + bytes.getUint16(record + 10)
      target -= size + prefix
      for (let index = size - 1; index >= 2; index--) {
        bytes.setUint8(target + prefix + index, bytes.getUint8(record + index))
      }
      for (let index = 0; index < prefix; index++) bytes.setUint8(target + index, byteOfName(words, node, index))
      bytes.setUint16(target + prefix, pointer)
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

  #putOwner(words: Int32Array, node: number, ownerAt: number): void {
    if (ownerAt - this.at < pointerReach) {
      this.bytes.setUint16(this.next, 0xc000 | (ownerAt - this.at))
      this.next += 2
      return
    }
    const length = (words[node + nodeHead] ?? 0) & 0xff
    for (let done = 0; done < length; done += 4) {
      this.bytes.setInt32(this.next + done, words[node + nodeName + (done >> 2)] ?? 0, true)
    }
    this.next += length
  }

  #moveData(source: Uint8Array, from: number, to: number, type: number, ownerAt: number): void {
    const names = compressedNames(type)
    const start = this.next
    let at = from
    const plain = names === 0 ? to : from + bytesBeforeNames(type)
    while (at < plain) this.#putByte(source[at++] ?? 0)
    for (let name = 0; name < names; name++) {
      let size = source[at] ?? 0
      for (; size > 0 && size < 0xc0; size = source[at] ?? 0) {
        for (const end = at + size; at <= end; at++) this.#putByte(source[at] ?? 0)
      }
      if (size === 0) {
        this.#putByte(0)
        at++
      } else {
        const skip = ((((source[at] ?? 0) & 0x3f) << 8) | (source[at + 1] ?? 0)) - questionAt
        this.bytes.setUint16(this.next, 0xc000 | (this.partOf(ownerAt, skip) - this.at))
        this.next += 2
        at += 2
      }
    }
    while (at < to) this.#putByte(source[at++] ?? 0)
    this.bytes.setUint16(start - 2, this.next - start)
  }

  #putByte(byte: number): void {
    this.bytes.setUint8(this.next++, byte)
  }
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
