import { InfoCode, Rcode, RrType } from '@zonewright/dns'
import { Denier } from './denier.ts'
import {
  entriesAt,
  entryAnswer,
  entrySigned,
  entryType,
  entryWords,
  flagPrivate,
  flagWithheld,
  nodeHasDname,
  nodeHasNs,
  nodeHead,
  nodeIsApex,
  nodeName,
  noRef,
  recordHeadBytes,
  whyWithheldShift,
  wordOf,
  zoneApex,
  zoneCuts,
  zoneFlags,
  zoneLengths,
  zoneNegativeTtl,
  zonePatches,
  zoneSignatures,
  zoneSoa,
  zoneSoaSigned,
  zoneSubzones,
  zoneWildcards,
} from './layout.ts'
import type { NameFinder } from './name-finder.ts'
import { copyBytes, pointerReach, type Reply } from './reply.ts'
import { equalsName, maxNameBytes, sameName } from './wire-name.ts'

/** The maximum length of a chain of aliases. No resolver follows longer ones, and a name may point to itself. */
const maxAliases = 16
/** The uncompressed names of a chain are stored one after the other, with one more that is only compared. */
const nameRoom = 256
const spareName = maxAliases + 1
/** How many free bytes a resolver needs next to the packets. Names are read in words, so up to three bytes after the last name are also read. */
export const scratchBytes = (spareName + 1) * nameRoom + 4

/**
 * Looks a question up in the tables as RFC 1034 §4.3.2 requires, with wildcards (RFC 4592), DNAME (RFC 6672) and empty non-terminals (RFC 8020), and
 * writes the result into the reply. ANY is answered with one rrset (RFC 8482). It gives the same results as `lookup` of packages/dns, and allocates
 * nothing.
 *
 * With the DO bit, the answer of a signed zone also has signatures and proofs (RFC 4035 §3.1, 5155 §7.2).
 */
export class Resolver {
  readonly #finder: NameFinder
  readonly #reply: Reply
  readonly #scratchAt: number
  #zone: number = noRef
  #zoneWords: Int32Array
  #zoneAt = 0
  #apexLength = 0
  /** The current name: the position of its uncompressed form, and its position in the message. */
  #nameAt = 0
  #nameLength = 0
  #messageAt = 0
  /** The closest existing name: the name itself or an ancestor. */
  #encloserAt = 0
  #encloserLength = 0
  /** How many aliases led to the current name, and the length of each name of the chain. */
  #aliases = 0
  readonly #lengths = new Int32Array(maxAliases + 1)
  #questionAt = 0
  /** The DNAMEs that were followed, and for each the length of the last name that it was followed for. */
  readonly #followed = new Int32Array(maxAliases + 1)
  readonly #followedFor = new Int32Array(maxAliases + 1)
  #followedCount = 0
  /** Whether the answer has signatures and proofs: the DO bit is set, and the zone is signed. */
  #isSigned = false
  readonly #denier: Denier

  /** `scratchAt` is the offset of `scratchBytes` free bytes in the memory of the packets. */
  constructor(finder: NameFinder, reply: Reply, scratchAt: number) {
    this.#finder = finder
    this.#reply = reply
    this.#scratchAt = scratchAt
    this.#zoneWords = finder.segment(noRef)
    this.#denier = new Denier(finder)
  }

  /**
   * Answers the name of `length` bytes at `at`, which begins the question. `mayRead`: the client may read private zones. `dnssecOk`: the client
   * requests signatures (RFC 3225).
   *
   * @returns the zone that answered, 0 for none: what `NameFinder.isSettled` needs to know.
   */
  resolve(at: number, length: number, type: number, mayRead: boolean, dnssecOk: boolean): number {
    const finder = this.#finder
    this.#nameAt = at
    this.#nameLength = length
    this.#messageAt = at
    this.#questionAt = at
    this.#lengths[0] = length
    this.#aliases = 0
    this.#followedCount = 0
    if (!this.#enclose(noRef)) return this.#refuse(noRef)
    this.#enter(finder.words[finder.at] ?? 0)
    const isDsOfApex = type === RrType.DS && ((finder.words[finder.at + nodeHead] ?? 0) & nodeIsApex) !== 0
    if (isDsOfApex || (this.#zoneWords[this.#zoneAt + zoneSubzones] ?? 0) !== 0) {
      if (!this.#locateZone(type)) return this.#refuse(noRef)
    }
    const flags = this.#zoneWords[this.#zoneAt + zoneFlags] ?? 0
    if ((flags & (flagPrivate | flagWithheld)) !== 0) {
      const isSoaOfZone = type === RrType.SOA && length === this.#apexLength
      if ((flags & flagPrivate) !== 0 && !mayRead && !isSoaOfZone) return this.#refuse(this.#zone)
      if ((flags & flagWithheld) !== 0) return this.#fail(Rcode.SERVFAIL, flags >>> whyWithheldShift, this.#zone)
    }
    this.#isSigned = dnssecOk && (this.#zoneWords[this.#zoneAt + zoneSignatures] ?? 0) !== 0
    this.#reply.apexAt = at + length - this.#apexLength
    this.#reply.apexLength = this.#apexLength
    if (this.#isSigned) this.#denier.begin(this.#zone, this.#zoneWords, this.#zoneAt, this.#apexLength)
    this.#step(type)
    if (this.#isSigned) this.#addProofs()
    return this.#zone
  }

  #refuse(zone: number): number {
    return this.#fail(Rcode.REFUSED, InfoCode.NOT_AUTHORITATIVE, zone)
  }

  #fail(rcode: number, infoCode: number, zone: number): number {
    this.#reply.rcode = rcode
    this.#reply.infoCode = infoCode
    this.#reply.isAuthoritative = false
    return zone
  }

  #enter(zone: number): void {
    this.#zone = zone
    this.#zoneWords = this.#finder.segment(zone)
    this.#zoneAt = wordOf(zone)
    this.#apexLength = (this.#zoneWords[this.#zoneAt + zoneLengths] ?? 0) & 0xffff
  }

  /** Finds the name, or the longest name above it that exists; in `zone`, or in any for 0. */
  #enclose(zone: number): boolean {
    const finder = this.#finder
    let at = this.#nameAt
    let length = this.#nameLength
    while (finder.find(at, length, zone) === noRef) {
      const label = finder.bytes.getUint8(at) + 1
      at += label
      length -= label
      if (length < 1) return false
    }
    this.#encloserAt = at
    this.#encloserLength = length
    return true
  }

  /**
   * The zone for a name that several of our zones could answer: the one whose apex is closest. The DS of an apex belongs to the parent zone, if we
   * have it (RFC 4035 §3.1.4.1).
   */
  #locateZone(type: number): boolean {
    const finder = this.#finder
    let own: number = noRef
    let at = this.#nameAt
    let length = this.#nameLength
    while (length > 0) {
      if (finder.findApex(at, length) !== noRef) {
        own = finder.words[finder.at] ?? 0
        if (type !== RrType.DS || length !== this.#nameLength) break
      }
      const label = finder.bytes.getUint8(at) + 1
      at += label
      length -= label
    }
    if (own === noRef) return false
    this.#enter(own)
    return this.#enclose(own)
  }

  /** Answers the current name, whose closest encloser was found last. An alias leads to the next name. */
  #step(type: number): void {
    if ((this.#zoneWords[this.#zoneAt + zoneCuts] ?? 0) !== 0 && this.#isCutOff(type)) return
    const encloser = this.#finder.ref
    const isName = this.#encloserLength === this.#nameLength
    if (!isName && !this.#findWildcard()) {
      this.#reply.rcode = Rcode.NXDOMAIN
      this.#deny()
      if (this.#isSigned) this.#denier.nameError(this.#nameAt, this.#nameLength, encloser, this.#encloserLength)
      return
    }
    const { ref, words, at } = this.#finder
    const head = words[at + nodeHead] ?? 0
    const first = entriesAt(at, head)
    const end = first + (head >>> 16) * entryWords
    if (type === RrType.RRSIG && this.#answerSignatures(ref, first, end)) {
      if (!isName && this.#isSigned) this.#denier.noName(this.#nameAt, this.#nameLength, this.#encloserLength)
      return
    }
    let alias = 0
    for (let entry = first; entry < end; entry += entryWords) {
      const there = (words[entry + entryType] ?? 0) & 0xffff
      if (there === type || (type === RrType.ANY && (there !== RrType.RRSIG || end - first === entryWords))) {
        this.#answer(ref, entry, isName)
        return
      }
      if (there === RrType.CNAME) alias = entry
    }
    if (alias === 0) {
      this.#deny()
      if (this.#isSigned) this.#denyType(ref, encloser, isName)
      return
    }
    const targetAt = this.#reply.next + recordHeadBytes
    this.#answer(ref, alias, isName)
    this.#follow(targetAt, type)
  }

  #answer(node: number, entry: number, isName: boolean): void {
    const reply = this.#reply
    const isSigned = this.#isSigned
    reply.answers +=
      this.#aliases === 0 ? reply.copy(node, entry, isSigned) : reply.move(node, entry, this.#messageAt, isSigned)
    if (!isSigned) return
    this.#noteSignatures(node, entry)
    // A name made from a wildcard needs the proof that it does not exist itself (RFC 4035 §3.1.3.3).
    if (!isName) this.#denier.noName(this.#nameAt, this.#nameLength, this.#encloserLength)
  }

  /** Notes for the client whether an rrset of a signed answer lacks its signatures (RFC 8914 §4.11). */
  #noteSignatures(node: number, entry: number): void {
    const words = this.#finder.segment(node)
    const isCovered =
      (words[entry + entrySigned] ?? 0) !== 0 || ((words[entry + entryType] ?? 0) & 0xffff) === RrType.RRSIG
    if (!isCovered) this.#reply.infoCode = InfoCode.RRSIGS_MISSING
  }

  /** All signatures of a name, which are written as one rrset. False if there are none. */
  #answerSignatures(node: number, first: number, end: number): boolean {
    const reply = this.#reply
    const words = this.#finder.words
    const start = reply.next
    let count = 0
    for (let entry = first; entry < end; entry += entryWords) {
      const isRrsig = ((words[entry + entryType] ?? 0) & 0xffff) === RrType.RRSIG
      count += isRrsig
        ? reply.move(node, entry, this.#messageAt, false)
        : reply.moveSignatures(node, entry, this.#messageAt)
    }
    if (reply.isTruncated) reply.next = start
    else reply.answers += count
    return reply.isTruncated || count > 0
  }

  /** The proof that the name, or the wildcard that it comes from, does not have the type. */
  #denyType(node: number, encloser: number, isName: boolean): void {
    const denier = this.#denier
    if (isName) denier.noData(node, this.#nameAt, this.#nameLength)
    else denier.wildcardNoData(this.#nameAt, this.#nameLength, encloser, this.#encloserLength, node)
  }

  /** What proves the negative parts of the answer. */
  #addProofs(): void {
    const denier = this.#denier
    for (let index = 0; index < denier.count; index++) {
      const node = denier.proofs[index] ?? 0
      const entry = this.#entryOf(node, RrType.NSEC) || this.#entryOf(node, RrType.NSEC3)
      this.#reply.authorities += this.#reply.addProof(node, entry)
      this.#noteSignatures(node, entry)
    }
    if (denier.isIncomplete) this.#reply.infoCode = InfoCode.NSEC_MISSING
    denier.count = 0
  }

  /** Writes the SOA for NODATA and NXDOMAIN. Its owner and names point to the zone's name at the end of the current name. */
  #deny(): void {
    const reply = this.#reply
    const words = this.#zoneWords
    const zone = this.#zoneAt
    const soaLength = (words[zone + zoneLengths] ?? 0) >>> 16
    if (soaLength === 0 || reply.isTruncated) return
    let signed = 0
    if (this.#isSigned) {
      signed = words[zone + zoneSoaSigned] ?? 0
      if (signed === 0) reply.infoCode = InfoCode.RRSIGS_MISSING
    }
    const length = soaLength + (signed & 0xffff)
    const to = reply.next
    if (to + length > reply.end) {
      reply.isTruncated = true
      return
    }
    const apex = words[zone + zoneApex] ?? 0
    const from = (wordOf(apex) + (words[zone + zoneSoa] ?? 0)) * 4
    // While the zone changes, its block may lead past the end of the segment. The answer then starts over.
    const there = Math.min(length, this.#finder.segment(apex).length * 4 - from)
    copyBytes(reply.bytes, to, this.#finder.view(apex), from, there)
    reply.bytes.setInt32(to + 6, words[zone + zoneNegativeTtl] ?? 0)
    const patches = words[zone + zonePatches] ?? 0
    this.#pointAtZone(to)
    if ((patches & 0xffff) !== 0) this.#pointAtZone(to + (patches & 0xffff))
    if (patches >>> 16 !== 0) this.#pointAtZone(to + (patches >>> 16))
    reply.next = to + length
    reply.authorities++
    let signature = to + soaLength
    // While the zone changes, the bytes may not match the zone's block. The answer then starts over.
    for (let left = signed >>> 16; left > 0 && signature + recordHeadBytes <= reply.next; left--) {
      reply.bytes.setInt32(signature + 6, words[zone + zoneNegativeTtl] ?? 0)
      this.#pointAtZone(signature)
      signature += recordHeadBytes + reply.bytes.getUint16(signature + 10)
    }
    reply.authorities += signed >>> 16
  }

  /** Adjusts a stored pointer into the zone's name to the position of that name in the message. */
  #pointAtZone(at: number): void {
    const { bytes } = this.#reply
    const skip = this.#nameLength - this.#apexLength + (bytes.getUint16(at) & 0x3fff) - 12
    const target = this.#aliases === 0 ? this.#messageAt + skip : this.#reply.partOf(this.#messageAt, skip)
    bytes.setUint16(at, 0xc000 | (target - this.#reply.at))
  }

  /** The wildcard directly below the closest encloser (RFC 4592 §3.3.1). */
  #findWildcard(): boolean {
    if ((this.#zoneWords[this.#zoneAt + zoneWildcards] ?? 0) === 0) return false
    const { bytes } = this.#finder
    // The label before the encloser has at least two bytes, which is what the asterisk needs.
    const at = this.#encloserAt - 2
    const kept = bytes.getUint16(at)
    bytes.setUint16(at, 0x012a)
    const ref = this.#finder.find(at, this.#encloserLength + 2, this.#zone)
    bytes.setUint16(at, kept)
    return ref !== noRef
  }

  /**
   * Finds the NS or DNAME nearest to the apex that governs the name, and answers for it: everything below is hidden.
   *
   * @returns false if there is none. The name that was found last is then the closest encloser again.
   */
  #isCutOff(type: number): boolean {
    const finder = this.#finder
    const encloser = finder.ref
    let at = this.#encloserAt
    let length = this.#encloserLength
    let cut: number = noRef
    let cutLength = 0
    let isReferral = false
    for (;;) {
      const head = finder.words[finder.at + nodeHead] ?? 0
      const isName = length === this.#nameLength
      const isNs = (head & (nodeHasNs | nodeIsApex)) === nodeHasNs && !(isName && type === RrType.DS)
      if (isNs || (!isName && (head & nodeHasDname) !== 0)) {
        cut = finder.ref
        cutLength = length
        isReferral = isNs
      }
      if (length <= this.#apexLength) break
      const label = finder.bytes.getUint8(at) + 1
      at += label
      length -= label
      if (length <= this.#apexLength) finder.take(this.#zoneWords[this.#zoneAt + zoneApex] ?? 0)
      else finder.find(at, length, this.#zone)
    }
    if (cut === noRef) finder.take(encloser)
    else if (isReferral) this.#refer(cut, cutLength)
    else this.#redirect(cut, cutLength, type)
    return cut !== noRef
  }

  /** A delegation: its NS, and the addresses that this zone has for them. */
  #refer(node: number, length: number): void {
    const reply = this.#reply
    const entry = this.#entryOf(node, RrType.NS)
    const skip = this.#nameLength - length
    const isName = skip === 0 && this.#aliases === 0
    let record = reply.next
    const ownerAt = isName ? this.#messageAt : reply.partOf(this.#messageAt, skip)
    const count = isName ? reply.copy(node, entry, false) : reply.move(node, entry, ownerAt, false)
    reply.isAuthoritative = reply.answers > 0
    reply.authorities += count
    if (this.#isSigned) this.#addDs(node, length, ownerAt)
    for (let each = 0; each < count && !reply.isTruncated; each++) {
      this.#addGlue(record + recordHeadBytes)
      record += recordHeadBytes + reply.bytes.getUint16(record + 10)
    }
  }

  /** The DS of a delegation, or the proof that it has none (RFC 4035 §3.1.4). */
  #addDs(node: number, length: number, ownerAt: number): void {
    const entry = this.#entryOf(node, RrType.DS)
    if (entry !== 0) {
      this.#reply.authorities += this.#reply.move(node, entry, ownerAt, true)
      this.#noteSignatures(node, entry)
    } else {
      this.#denier.noData(node, this.#nameAt + this.#nameLength - length, length)
    }
    this.#addProofs()
  }

  #addGlue(hostAt: number): void {
    const finder = this.#finder
    const plainLength = this.#lengthIfPlain(hostAt)
    const at = plainLength > 0 ? hostAt : this.#scratchAt + spareName * nameRoom
    const length = plainLength || this.#writeOut(hostAt, at)
    if (!this.#isWithinZone(at, length)) return
    const host = finder.find(at, length, this.#zone)
    if (host === noRef) return
    const addresses = this.#entryOf(host, RrType.A)
    if (addresses !== 0) this.#addAddresses(host, addresses, hostAt)
    const longAddresses = this.#entryOf(host, RrType.AAAA)
    if (longAddresses !== 0) this.#addAddresses(host, longAddresses, hostAt)
  }

  /**
   * Addresses that are not below the cut may be signed. If there is no room for the signatures, the addresses are added without them (RFC 4035
   * §3.1.1).
   */
  #addAddresses(host: number, entry: number, hostAt: number): void {
    const reply = this.#reply
    const wasTruncated = reply.isTruncated
    let count = reply.move(host, entry, hostAt, this.#isSigned)
    if (count === 0 && !wasTruncated && this.#isSigned) {
      reply.isTruncated = false
      count = reply.move(host, entry, hostAt, false)
    }
    reply.additionals += count
  }

  /** Continues with the name at `messageAt`, which an alias in the answer points to. */
  #follow(messageAt: number, type: number): void {
    const reply = this.#reply
    if (reply.isTruncated || type === RrType.CNAME || type === RrType.ANY) return
    if (++this.#aliases >= maxAliases) return
    // Later records point to the target and to its labels. If a pointer cannot reach them all, the client's resolver continues.
    if (messageAt + reply.bytes.getUint16(messageAt - 2) - reply.at > pointerReach) return
    const at = this.#scratchAt + this.#aliases * nameRoom
    const length = this.#writeOut(messageAt, at)
    // If the target is outside our zones or was already visited, the client's resolver continues.
    if (!this.#isWithinZone(at, length) || this.#wasSeen(at, length)) return
    this.#lengths[this.#aliases] = length
    this.#nameAt = at
    this.#nameLength = length
    this.#messageAt = messageAt
    if (this.#enclose(this.#zone)) this.#step(type)
  }

  /** A DNAME redirects the names below it to its target, with a synthesized CNAME (RFC 6672 §2.2 and §3.1). */
  #redirect(node: number, length: number, type: number): void {
    const reply = this.#reply
    const entry = this.#entryOf(node, RrType.DNAME)
    const before = this.#followed.indexOf(node)
    if (before !== -1 && before < this.#followedCount) {
      // A DNAME that is followed again for a name that is not shorter leads ever deeper into itself.
      if (this.#nameLength >= (this.#followedFor[before] ?? 0)) return
      this.#followedFor[before] = this.#nameLength
    } else {
      this.#followed[this.#followedCount] = node
      this.#followedFor[this.#followedCount++] = this.#nameLength
      reply.answers += reply.move(node, entry, reply.partOf(this.#messageAt, this.#nameLength - length), this.#isSigned)
      if (this.#isSigned) this.#noteSignatures(node, entry)
    }
    const prefix = this.#nameLength - length
    const words = this.#finder.segment(node)
    const answer = words[entry + entryAnswer] ?? 0
    let recordAt = (wordOf(node) + (answer & 0xffff)) * 4
    let source = this.#finder.segments.bytesOf(node)
    if (answer >>> 16 === 0) {
      const block = words[recordAt >> 2] ?? 0
      recordAt = wordOf(block) * 4
      source = this.#finder.segments.bytesOf(block)
    }
    const targetLength = prefix + (((source[recordAt + 10] ?? 0) << 8) | (source[recordAt + 11] ?? 0))
    if (targetLength > maxNameBytes) {
      reply.rcode = Rcode.YXDOMAIN
      return
    }
    const ttlHigh = ((source[recordAt + 6] ?? 0) << 8) | (source[recordAt + 7] ?? 0)
    const ttlLow = ((source[recordAt + 8] ?? 0) << 8) | (source[recordAt + 9] ?? 0)
    const at = this.#scratchAt + spareName * nameRoom
    for (let index = 0; index < prefix; index++) {
      reply.bytes.setUint8(at + index, reply.bytes.getUint8(this.#nameAt + index))
    }
    for (let index = prefix; index < targetLength; index++) {
      reply.bytes.setUint8(at + index, source[recordAt + recordHeadBytes + index - prefix] ?? 0)
    }
    const targetAt = reply.next + recordHeadBytes
    reply.answers += reply.addCname(this.#messageAt, ttlHigh * 0x10000 + ttlLow, at, targetLength)
    this.#follow(targetAt, type)
  }

  /** The entry of a type at a name, or 0. */
  #entryOf(node: number, type: number): number {
    const words = this.#finder.segment(node)
    const at = wordOf(node)
    const head = words[at + nodeHead] ?? 0
    const first = entriesAt(at, head)
    for (let entry = first; entry < first + (head >>> 16) * entryWords; entry += entryWords) {
      if (((words[entry + entryType] ?? 0) & 0xffff) === type) return entry
    }
    return 0
  }

  /** Whether the uncompressed name at `at` is the zone's name or below it. */
  #isWithinZone(at: number, length: number): boolean {
    const { bytes } = this.#finder
    let from = at
    let left = length
    while (left > this.#apexLength) {
      const label = bytes.getUint8(from) + 1
      from += label
      left -= label
    }
    if (left !== this.#apexLength) return false
    const apex = this.#zoneWords[this.#zoneAt + zoneApex] ?? 0
    return equalsName(bytes, from, left, this.#finder.segment(apex), wordOf(apex) + nodeName)
  }

  #wasSeen(at: number, length: number): boolean {
    for (let alias = 0; alias < this.#aliases; alias++) {
      const before = alias === 0 ? this.#questionAt : this.#scratchAt + alias * nameRoom
      if (this.#lengths[alias] === length && sameName(this.#finder.bytes, at, before, length)) return true
    }
    return false
  }

  /** The length of the name at `at` in the message if it has no pointer; otherwise 0. */
  #lengthIfPlain(at: number): number {
    const { bytes } = this.#reply
    let end = at
    for (;;) {
      const size = bytes.getUint8(end)
      if (size >= 0xc0) return 0
      end += size + 1
      if (size === 0) return end - at
    }
  }

  /** Writes the name at `from` in the message without pointers. @returns its length. */
  #writeOut(from: number, to: number): number {
    const { bytes } = this.#reply
    let at = from
    let next = to
    for (;;) {
      const size = bytes.getUint8(at)
      if (size >= 0xc0) {
        at = this.#reply.at + (bytes.getUint16(at) & 0x3fff)
        continue
      }
      copyBytes(bytes, next, bytes, at, size + 1)
      at += size + 1
      next += size + 1
      if (size === 0) return next - to
    }
  }
}
