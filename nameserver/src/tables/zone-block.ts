import type { Arena } from './arena.ts'
import { bytesBeforeNames } from './compile-name.ts'
import {
  controlClock,
  entriesAt,
  entryAnswer,
  entrySigned,
  entryType,
  entryWords,
  nodeHasDname,
  nodeHasNs,
  nodeHead,
  nodeIsApex,
  recordHeadBytes,
  whyWithheldShift,
  withheldFlags,
  wordOf,
  zoneApex,
  zoneCuts,
  zoneExpiry,
  zoneExpiryState,
  zoneFlags,
  zoneFoundExpiry,
  zoneHashes,
  zoneHashing,
  zoneIdleHashes,
  zoneLengths,
  zoneNegativeTtl,
  zoneNsecs,
  zoneOrder,
  zonePatches,
  zoneRecords,
  zoneSignatures,
  zoneSoa,
  zoneSoaSigned,
  zoneSubzones,
  zoneVersion,
  zoneWildcards,
  zoneWords,
} from './layout.ts'
import { isEarlier, recordsAt, signaturesAt } from './read-name.ts'

const soaType = 6

/**
 * Bits of the state of a zone's expiry: it may be too early; a search is in progress; the search has found a signature; this signature has been
 * removed since then.
 */
const expiryIsOld = 1
const searching = 2
const foundAny = 4
const foundIsOld = 8

/** The block of one zone, for the thread that writes it. */
export class ZoneBlock {
  readonly ref: number
  readonly #arena: Arena
  readonly #words: Int32Array
  readonly #at: number

  constructor(arena: Arena, ref: number) {
    this.#arena = arena
    this.ref = ref
    this.#words = arena.segments.wordsOf(ref)
    this.#at = wordOf(ref)
  }

  /** A new block without names. */
  static create(arena: Arena, apexLength: number, flags: number): ZoneBlock {
    const ref = arena.allocate(zoneWords * 4)
    const block = new ZoneBlock(arena, ref)
    block.#words.fill(0, block.#at, block.#at + zoneWords)
    block.set(zoneFlags, flags)
    block.set(zoneLengths, apexLength)
    return block
  }

  get(word: number): number {
    return this.#words[this.#at + word] ?? 0
  }

  set(word: number, value: number): void {
    Atomics.store(this.#words, this.#at + word, value)
  }

  has(flag: number): boolean {
    return (this.get(zoneFlags) & flag) !== 0
  }

  setFlag(flag: number, isSet: boolean): void {
    const flags = this.get(zoneFlags)
    this.set(zoneFlags, isSet ? flags | flag : flags & ~flag)
  }

  /** The zone has no data; `why` is a code of RFC 8914. */
  withhold(why: number): void {
    this.set(zoneFlags, (this.get(zoneFlags) & ((1 << whyWithheldShift) - 1)) | withheldFlags(why))
  }

  get apex(): number {
    return this.get(zoneApex) >>> 0
  }

  get order(): number {
    return this.get(zoneOrder) >>> 0
  }

  /** The order of the names with NSEC, if the zone denies with NSEC. */
  get nsecs(): number {
    return this.get(zoneNsecs) >>> 0
  }

  /** The order of the NSEC3 records that answers use, if the zone denies with NSEC3, and of those that no answer uses. */
  get hashes(): number {
    return this.get(zoneHashes) >>> 0
  }

  get idleHashes(): number {
    return this.get(zoneIdleHashes) >>> 0
  }

  /** How names are hashed for NSEC3; see zone-hashing.ts. */
  get hashing(): number {
    return this.get(zoneHashing) >>> 0
  }

  get records(): number {
    return this.get(zoneRecords)
  }

  set subzones(count: number) {
    this.set(zoneSubzones, count)
  }

  /** Adds a name to the counts (`sign` 1) or subtracts it (-1). */
  count(node: number, sign: 1 | -1): void {
    const words = this.#arena.segments.wordsOf(node)
    const at = wordOf(node)
    const head = words[at + nodeHead] ?? 0
    const isCut = (head & (nodeHasNs | nodeIsApex)) === nodeHasNs
    const isDname = (head & nodeHasDname) !== 0
    // The length byte 1 and the asterisk, as the first bytes of a word.
    const isWildcard = ((words[at + 2] ?? 0) & 0xffff) === 0x2a01
    this.countRecords(node, sign)
    this.#add(zoneCuts, sign * (Number(isCut) + Number(isDname)))
    this.#add(zoneWildcards, sign * Number(isWildcard))
  }

  /** Adds the records and signatures of a name to the counts, or subtracts them. For an NSEC3 name, nothing else is counted. */
  countRecords(node: number, sign: 1 | -1): void {
    this.#add(zoneRecords, sign * recordsAt(this.#arena.segments, node))
    const { count, expiry } = signaturesAt(this.#arena.segments, node)
    if (count === 0) return
    if (sign === 1 && (this.signatures === 0 || isEarlier(expiry, this.expiry))) this.set(zoneExpiry, expiry)
    this.#add(zoneSignatures, sign * count)
    if (sign === 1) this.findExpiry(expiry)
    else this.#loseExpiry(expiry)
  }

  /** How many signatures the zone has. */
  get signatures(): number {
    return this.get(zoneSignatures)
  }

  /** When the first signature expires, or an earlier time, in the format of signatures. */
  get expiry(): number {
    return this.get(zoneExpiry) >>> 0
  }

  /** Whether `expiry` may be too early, because the signature that expired first was removed. */
  get isExpiryOld(): boolean {
    return (this.get(zoneExpiryState) & expiryIsOld) !== 0
  }

  /** A search for the actual expiry begins. From now on, it also considers each added signature. */
  beginSearch(): void {
    this.set(zoneExpiryState, expiryIsOld | searching)
  }

  /** A search has found a signature. */
  findExpiry(expiry: number): void {
    const state = this.get(zoneExpiryState)
    if ((state & searching) === 0) return
    if ((state & foundAny) === 0 || isEarlier(expiry, this.get(zoneFoundExpiry))) this.set(zoneFoundExpiry, expiry)
    this.set(zoneExpiryState, state | foundAny)
  }

  /** A search has read all names. Its result is the expiry, unless that signature has been removed since then. */
  endSearch(): void {
    const state = this.get(zoneExpiryState)
    if ((state & foundAny) !== 0) this.set(zoneExpiry, this.get(zoneFoundExpiry))
    this.set(zoneExpiryState, (state & foundIsOld) === 0 ? 0 : expiryIsOld)
  }

  #loseExpiry(expiry: number): void {
    let state = this.get(zoneExpiryState)
    if (!isEarlier(this.expiry, expiry)) state |= expiryIsOld
    if ((state & foundAny) !== 0 && !isEarlier(this.get(zoneFoundExpiry), expiry)) state |= foundIsOld
    this.set(zoneExpiryState, state)
  }

  /** Sets the apex, and records its SOA, which negative answers contain (RFC 2308 §3). */
  setApex(apex: number): void {
    this.set(zoneApex, apex)
    const entry = this.#soaEntry(apex)
    let length = 0
    if (entry !== undefined) {
      const words = this.#arena.segments.wordsOf(apex)
      const answer = words[entry + entryAnswer] ?? 0
      const at = (wordOf(apex) + (answer & 0xffff)) * 4
      const bytes = this.#arena.segments.bytesOf(apex)
      length = recordHeadBytes + ((bytes[at + 10] ?? 0) << 8) + (bytes[at + 11] ?? 0)
      const soa = bytes.subarray(at, at + length)
      const [first, second] = pointersIn(soa)
      this.set(zonePatches, first | (second << 16))
      this.set(zoneSoa, (at >> 2) - wordOf(apex))
      // The signatures follow the first SOA only if there is one SOA.
      this.set(zoneSoaSigned, answer >>> 16 === length ? (words[entry + entrySigned] ?? 0) : 0)
      this.set(zoneNegativeTtl, Math.min(u32(soa, 6), u32(soa, length - 4)))
    }
    this.set(zoneLengths, (this.get(zoneLengths) & 0xffff) | (length << 16))
  }

  /** From now on until `settle`, readers of this zone start over. */
  disturb(): void {
    this.set(zoneVersion, this.get(zoneVersion) | 1)
  }

  /** The zone is consistent again, as of the next tick of the clock. */
  settle(): void {
    const { control } = this.#arena.segments
    const now = ((control[controlClock] ?? 0) + 2) | 0
    Atomics.store(control, controlClock, now)
    this.set(zoneVersion, now)
  }

  /** Activates the zone, which was hidden until now, as of the next tick of the clock. */
  reveal(hidden: number): void {
    const { control } = this.#arena.segments
    const now = ((control[controlClock] ?? 0) + 2) | 0
    this.set(zoneVersion, now)
    this.setFlag(hidden, false)
    Atomics.store(control, controlClock, now)
  }

  retire(): void {
    this.#arena.retire(this.ref, zoneWords * 4)
  }

  #add(word: number, more: number): void {
    if (more !== 0) this.set(word, this.get(word) + more)
  }

  /** The entry of the SOA at the apex. Its answer is never moved out. */
  #soaEntry(apex: number): number | undefined {
    const words = this.#arena.segments.wordsOf(apex)
    const at = wordOf(apex)
    const head = words[at + nodeHead] ?? 0
    const first = entriesAt(at, head)
    for (let entry = first; entry < first + (head >>> 16) * entryWords; entry += entryWords) {
      if (((words[entry + entryType] ?? 0) & 0xffff) === soaType) return entry
    }
    return undefined
  }
}

/** The offsets of the pointers that end the two names of an SOA record, or 0. */
function pointersIn(record: Uint8Array): [number, number] {
  const found: [number, number] = [0, 0]
  let at = recordHeadBytes + bytesBeforeNames(soaType)
  for (const name of [0, 1] as const) {
    let size = record[at] ?? 0
    for (; size > 0 && size < 0xc0; size = record[at] ?? 0) at += size + 1
    if (size >= 0xc0) found[name] = at
    at += size >= 0xc0 ? 2 : 1
  }
  return found
}

function u32(bytes: Uint8Array, at: number): number {
  const high = ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
  return high * 0x10000 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0))
}
