import {
  controlClock,
  controlIndex,
  flagHidden,
  indexMask,
  indexSlots,
  nodeHead,
  nodeIsApex,
  nodeName,
  noRef,
  segmentShift,
  tombstone,
  wordOf,
  zoneFlags,
  zoneVersion,
} from './layout.ts'
import type { Segments } from './segments.ts'
import { equalsName, hashName } from './wire-name.ts'

/**
 * Finds names in the tables, from any thread and without locks.
 *
 * An attempt at a query begins with `begin` and counts only if `isSettled` returns at its end that nothing it read
 * was being changed; otherwise it starts over. So no reader ever sees half of a change.
 */
export class NameFinder {
  /** The memory with the names to find. */
  readonly bytes: DataView
  readonly segments: Segments
  /** The name that was found last: its reference, its segment and its first word in the segment. */
  ref: number = noRef
  words: Int32Array
  at = 0
  readonly #control: Int32Array
  readonly #hashKeys: Int32Array
  readonly #fetchSegments: () => void
  #slots: Int32Array
  #slotsAt = 0
  #mask = 0
  #clock = 0
  /** Whether the result depends on more than the zone that answers. */
  #spansZones = false
  #lastZone = noRef
  #lastVersion = 0

  /** `fetchSegments` is called when a reference leads to a segment that this thread has not been given yet. */
  constructor(segments: Segments, bytes: DataView, fetchSegments: () => void) {
    this.segments = segments
    this.bytes = bytes
    this.#control = segments.control
    this.#hashKeys = segments.hashKeys
    this.#fetchSegments = fetchSegments
    this.words = segments.wordsOf(0)
    this.#slots = this.words
  }

  begin(): void {
    this.#clock = Atomics.load(this.#control, controlClock)
    // Read after the clock, so it is not older than the clock value.
    const ref = this.#control[controlIndex] ?? 0
    this.#slots = this.segment(ref)
    this.#slotsAt = wordOf(ref) + indexSlots
    this.#mask = this.#slots[wordOf(ref) + indexMask] ?? 0
    this.#spansZones = false
  }

  /** Whether everything that was read since `begin` belongs to one state. `zone` is the zone that answered, 0 for none. */
  isSettled(zone: number): boolean {
    // A replaced zone is added to one slot of the index and removed from another. A reader that passes the first slot too early and the second one
    // too late sees neither. So a zone counts as missing only if no zone was added or removed during the attempt.
    const spansZones = this.#spansZones || zone === noRef
    if (spansZones && Atomics.load(this.#control, controlClock) !== this.#clock) return false
    if (zone === noRef) return true
    const version = Atomics.load(this.segment(zone), wordOf(zone) + zoneVersion)
    const isStill = (version & 1) === 0
    if (isStill && ((this.#clock - version) | 0) >= 0) return true
    // The clock has only 32 bits: a zone that was not changed for very long seems to come from the future.
    const isSame = isStill && zone === this.#lastZone && version === this.#lastVersion
    this.#lastZone = zone
    this.#lastVersion = version
    return isSame
  }

  /** Clears what `isSettled` recorded about the previous query. */
  forget(): void {
    this.#lastZone = noRef
  }

  /** The reference of the name of `length` bytes at `at`, in any case: in `zone`, or in any zone for 0. */
  find(at: number, length: number, zone: number): number {
    const hash = hashName(this.bytes, at, length, this.#hashKeys)
    const slots = this.#slots
    const mask = this.#mask
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const ref = slots[this.#slotsAt + slot * 2 + 1] ?? 0
      if (ref === noRef) return noRef
      if (slots[this.#slotsAt + slot * 2] !== hash || ref === tombstone) continue
      const words = this.segment(ref)
      const node = wordOf(ref)
      if (((words[node + nodeHead] ?? 0) & 0xff) !== (length & 0xff)) continue
      if (!equalsName(this.bytes, at, length, words, node + nodeName)) continue
      if (!this.#isIn(words[node] ?? 0, zone)) continue
      this.ref = ref
      this.words = words
      this.at = node
      return ref
    }
  }

  /** The apex of the zone with this name. */
  findApex(at: number, length: number): number {
    this.#spansZones = true
    const hash = hashName(this.bytes, at, length, this.#hashKeys)
    const slots = this.#slots
    const mask = this.#mask
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const ref = slots[this.#slotsAt + slot * 2 + 1] ?? 0
      if (ref === noRef) return noRef
      if (slots[this.#slotsAt + slot * 2] !== hash || ref === tombstone) continue
      const words = this.segment(ref)
      const node = wordOf(ref)
      const head = words[node + nodeHead] ?? 0
      if ((head & 0xff) !== (length & 0xff) || (head & nodeIsApex) === 0) continue
      if (!equalsName(this.bytes, at, length, words, node + nodeName)) continue
      if (!this.#isIn(words[node] ?? 0, noRef)) continue
      this.ref = ref
      this.words = words
      this.at = node
      return ref
    }
  }

  /** Whether a zone with this name is held, with or without data. */
  holdsZone(name: Uint8Array): boolean {
    for (const [index, byte] of name.entries()) this.bytes.setUint8(index, byte)
    this.forget()
    for (;;) {
      this.begin()
      const isHeld = this.findApex(0, name.length) !== noRef
      if (this.isSettled(isHeld ? (this.words[this.at] ?? 0) : noRef)) return isHeld
    }
  }

  /** Sets the name that was found last, given its reference. */
  take(ref: number): void {
    this.ref = ref
    this.words = this.segment(ref)
    this.at = wordOf(ref)
  }

  /** The words of the segment that contains `ref`. */
  segment(ref: number): Int32Array {
    return this.segments.words[ref >>> segmentShift] ?? this.#missing(ref)
  }

  /** The segment that contains `ref`, for values of any size at any offset. */
  view(ref: number): DataView {
    const view = this.segments.views[ref >>> segmentShift]
    if (view !== undefined) return view
    this.#missing(ref)
    return this.view(ref)
  }

  #isIn(zone: number, wanted: number): boolean {
    if (wanted !== noRef) return zone === (wanted | 0)
    if (((this.segment(zone)[wordOf(zone) + zoneFlags] ?? 0) & flagHidden) === 0) return true
    this.#spansZones = true
    return false
  }

  #missing(ref: number): Int32Array {
    this.#fetchSegments()
    return this.segments.wordsOf(ref)
  }
}
