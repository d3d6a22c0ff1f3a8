import {
  controlEpoch,
  controlReaderCount,
  controlReaders,
  readerStride,
  reservedUnits,
  segmentShift,
  unitBytes,
} from './layout.ts'
import { Segments, usualSegmentBytes } from './segments.ts'

/** Freed blocks up to so many units are kept apart by size; answers and names are far smaller. */
const sortedUnits = 512

/** Blocks that are out of use but may still be looked at. Three plain arrays: a busy server has many. */
interface Retired {
  readonly epochs: number[]
  readonly refs: number[]
  readonly units: number[]
}

/**
 * The memory of the tables, handed out in blocks by the one thread that writes them.
 *
 * A block that goes out of use may still be looked at by a reader in the middle of a query. It is used again once every
 * reader has moved on: each announces the epoch in which it began its work, or that it is idle.
 */
export class Arena {
  readonly segments: Segments
  readonly #segmentBytes: number
  readonly #onSegment: (buffer: SharedArrayBuffer) => void
  /** By units: places of freed blocks of exactly that size. */
  readonly #free: number[][] = Array.from({ length: sortedUnits + 1 }, () => [])
  /** Larger ones, cut up when there is nothing else. */
  readonly #freeLarge: { ref: number; units: number }[] = []
  readonly #retired: Retired = { epochs: [], refs: [], units: [] }
  #retiredFrom = 0
  /** What is left of the newest segment, or of a large block that is being cut up. */
  #next = 0
  #end = 0
  #usedUnits = 0

  /** `onSegment` hears of every segment beyond the first before anything is placed in it. */
  constructor(seed: number, onSegment: (buffer: SharedArrayBuffer) => void, segmentBytes = usualSegmentBytes) {
    this.segments = Segments.create(seed)
    this.#segmentBytes = segmentBytes
    this.#onSegment = onSegment
    this.segments.control[controlEpoch] = 1
    this.#addSegment(segmentBytes)
  }

  /** Bytes in use, those waiting for readers included. */
  get usedBytes(): number {
    return this.#usedUnits * unitBytes
  }

  /** A block of at least `bytes`, with whatever its last user left in it. */
  allocate(bytes: number): number {
    const units = Math.ceil(bytes / unitBytes)
    this.#usedUnits += units
    return this.#freed(units) ?? this.#carve(units)
  }

  /** Gives a block back, of as many `bytes` as it was asked for; it has been unlinked already. */
  retire(ref: number, bytes: number): void {
    this.#retired.epochs.push(this.segments.control[controlEpoch] ?? 0)
    this.#retired.refs.push(ref)
    this.#retired.units.push(Math.ceil(bytes / unitBytes))
  }

  /** Ends an epoch after a change, and frees what no reader can see any more. */
  reclaim(): void {
    const epoch = Atomics.add(this.segments.control, controlEpoch, 1) + 1
    const { epochs, refs, units } = this.#retired
    const oldest = this.#oldestReader(epoch)
    let from = this.#retiredFrom
    for (; from < epochs.length && oldest - (epochs[from] ?? 0) > 0; from++)
      this.#release(refs[from] ?? 0, units[from] ?? 0)
    if (from < epochs.length && from < 10_000) {
      this.#retiredFrom = from
      return
    }
    for (const list of [epochs, refs, units]) list.splice(0, from)
    this.#retiredFrom = 0
  }

  /** The epoch that the slowest reader is in. */
  #oldestReader(now: number): number {
    const { control } = this.segments
    const readers = Atomics.load(control, controlReaderCount)
    let oldest = now
    for (let reader = 0; reader < readers; reader++) {
      const epoch = Atomics.load(control, controlReaders + reader * readerStride)
      if (epoch !== 0 && epoch - oldest < 0) oldest = epoch
    }
    return oldest
  }

  #release(ref: number, units: number): void {
    this.#usedUnits -= units
    this.#keep(ref, units)
  }

  #keep(ref: number, units: number): void {
    if (units === 0) return
    if (units <= sortedUnits) this.#free[units]?.push(ref)
    else this.#freeLarge.push({ ref, units })
  }

  #freed(units: number): number | undefined {
    if (units <= sortedUnits) return this.#free[units]?.pop()
    const at = this.#freeLarge.findIndex((block) => block.units === units)
    return at === -1 ? undefined : this.#freeLarge.splice(at, 1)[0]?.ref
  }

  #carve(units: number): number {
    if (this.#end - this.#next < units) this.#refill(units)
    const ref = this.#next
    this.#next += units
    return ref
  }

  /** Goes on in a freed large block, or else in another segment. */
  #refill(units: number): void {
    const at = this.#freeLarge.findIndex((block) => block.units >= units)
    const [large] = at === -1 ? [] : this.#freeLarge.splice(at, 1)
    const [next, end] = [this.#next, this.#end]
    if (large !== undefined) {
      this.#next = large.ref
      this.#end = large.ref + large.units
    } else {
      const needed = (units + reservedUnits) * unitBytes
      this.#onSegment(this.#addSegment(Math.max(this.#segmentBytes, needed)))
    }
    // The rest of the place before is kept for smaller blocks.
    this.#keep(next, end - next)
  }

  #addSegment(bytes: number): SharedArrayBuffer {
    const index = this.segments.words.length
    const buffer = this.segments.reserve(bytes)
    const first = index * 2 ** segmentShift
    this.#next = first + reservedUnits
    this.#end = first + Math.floor(buffer.byteLength / unitBytes)
    if (this.#end - this.#next < Math.ceil(bytes / unitBytes) - reservedUnits && bytes > this.#segmentBytes) {
      throw new Error(`no ${bytes} bytes of memory are left in one piece`)
    }
    return buffer
  }
}
