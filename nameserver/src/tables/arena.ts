import { controlEpoch, controlReaderCount, controlReaders, pageShift, readerStride, unitBytes } from './layout.ts'
import { Pages } from './pages.ts'
import { Segments, usualSegmentBytes } from './segments.ts'
import { blockUnits, mostSlabUnits, Slabs } from './slabs.ts'

/** Blocks that are freed but may still be read. Three plain arrays: a busy server has many. */
interface Retired {
  readonly epochs: number[]
  readonly refs: number[]
  readonly units: number[]
}

/**
 * The memory of the tables, allocated in blocks by the one thread that writes them.
 *
 * A reader in the middle of a query may still read a freed block. The block is reused once every reader has moved on. Each reader announces the epoch
 * in which it began its work, or that it is idle.
 */
export class Arena {
  readonly segments = Segments.create()
  readonly #pages: Pages
  readonly #slabs: Slabs
  readonly #retired: Retired = { epochs: [], refs: [], units: [] }
  #retiredFrom = 0
  #usedUnits = 0

  /** `onSegment` is called for every segment after the first, before anything is placed in it. */
  constructor(onSegment: (buffer: SharedArrayBuffer) => void, segmentBytes = usualSegmentBytes) {
    this.segments.control[controlEpoch] = 1
    this.#pages = new Pages(this.segments, onSegment, segmentBytes)
    this.#slabs = new Slabs(this.#pages)
  }

  /** Bytes in use, including freed blocks that wait for readers. */
  get usedBytes(): number {
    return this.#usedUnits * unitBytes
  }

  /** Allocates a block of at least `bytes`. Its content is not cleared. */
  allocate(bytes: number): number {
    const units = unitsFor(bytes)
    this.#usedUnits += units
    return units <= mostSlabUnits ? this.#slabs.allocate(units) : this.#pages.allocate(units >> pageShift)
  }

  /** Frees a block. `bytes` is the size that it was allocated with. The block must be unlinked already. */
  retire(ref: number, bytes: number): void {
    this.#retired.epochs.push(this.segments.control[controlEpoch] ?? 0)
    // A reference to the upper segments is negative if it was read from a table.
    this.#retired.refs.push(ref >>> 0)
    this.#retired.units.push(unitsFor(bytes))
  }

  /** Ends an epoch after a change, and frees the blocks that no reader can see. */
  reclaim(): void {
    // Epochs wrap around, so only their difference shows which is older. All are odd, because 0 means that a reader is idle.
    const epoch = (Atomics.add(this.segments.control, controlEpoch, 2) + 2) | 0
    const { epochs, refs, units } = this.#retired
    const oldest = this.#oldestReader(epoch)
    while (this.#retiredFrom < epochs.length && ((oldest - (epochs[this.#retiredFrom] ?? 0)) | 0) > 0) {
      // Advance first, so that no block is released twice, even if a release fails.
      const at = this.#retiredFrom++
      this.#release(refs[at] ?? 0, units[at] ?? 0)
    }
    if (this.#retiredFrom < epochs.length && this.#retiredFrom < 10_000) return
    for (const list of [epochs, refs, units]) list.splice(0, this.#retiredFrom)
    this.#retiredFrom = 0
  }

  /** The epoch that the slowest reader is in. */
  #oldestReader(now: number): number {
    const { control } = this.segments
    const readers = Atomics.load(control, controlReaderCount)
    let oldest = now
    for (let reader = 0; reader < readers; reader++) {
      const epoch = Atomics.load(control, controlReaders + reader * readerStride)
      if (epoch !== 0 && ((epoch - oldest) | 0) < 0) oldest = epoch
    }
    return oldest
  }

  #release(ref: number, units: number): void {
    this.#usedUnits -= units
    if (units <= mostSlabUnits) this.#slabs.free(ref)
    else this.#pages.free(ref, units >> pageShift)
  }
}

function unitsFor(bytes: number): number {
  return blockUnits(Math.max(1, Math.ceil(bytes / unitBytes)))
}
