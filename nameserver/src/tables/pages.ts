import { pageShift, pageUnits, segmentShift, unitBytes } from './layout.ts'
import type { Segments } from './segments.ts'

/** Pages of a segment that are handed out or free as one: where the run begins, as a reference, and how many there are. */
interface Run {
  readonly ref: number
  readonly pages: number
}

/**
 * The memory of all segments in pages, handed out in runs of them. A run that comes back is joined with the free ones beside it, so
 * that what was in use for small blocks is there for large ones, and for blocks of another size, later.
 */
export class Pages {
  readonly #segments: Segments
  readonly #segmentBytes: number
  readonly #onSegment: (buffer: SharedArrayBuffer) => void
  /** The free runs by where they begin, and again by where they end. */
  readonly #from = new Map<number, Run>()
  readonly #upTo = new Map<number, Run>()

  /** `onSegment` hears of every segment beyond the first before anything is placed in it. */
  constructor(segments: Segments, onSegment: (buffer: SharedArrayBuffer) => void, segmentBytes: number) {
    this.#segments = segments
    this.#segmentBytes = segmentBytes
    this.#onSegment = onSegment
    this.#reserve(0)
  }

  /** A run of so many pages. @throws Error if there is no memory left. */
  allocate(pages: number): number {
    const found = this.#smallest(pages) ?? this.#extend(pages)
    this.#remove(found)
    if (found.pages > pages) this.#add({ ref: found.ref + pages * pageUnits, pages: found.pages - pages })
    return found.ref
  }

  free(ref: number, pages: number): void {
    const before = this.#upTo.get(ref)
    const after = this.#from.get(ref + pages * pageUnits)
    if (before !== undefined) this.#remove(before)
    if (after !== undefined) this.#remove(after)
    this.#add({ ref: before?.ref ?? ref, pages: (before?.pages ?? 0) + pages + (after?.pages ?? 0) })
  }

  /** The smallest free run that has room: the large ones, which nothing was ever written to, stay whole. */
  #smallest(pages: number): Run | undefined {
    let found: Run | undefined
    for (const run of this.#from.values()) {
      if (run.pages < pages || (found !== undefined && run.pages >= found.pages)) continue
      found = run
      if (run.pages === pages) break
    }
    return found
  }

  #extend(pages: number): Run {
    this.#onSegment(this.#reserve(pages))
    const run = this.#smallest(pages)
    if (run === undefined) throw new Error(`no ${pages * pageUnits * unitBytes} bytes of memory are left in one piece`)
    return run
  }

  /** Another segment, with so many pages where the system gives as much. */
  #reserve(pages: number): SharedArrayBuffer {
    const first = this.#segments.words.length * 2 ** segmentShift
    const buffer = this.#segments.reserve(Math.max(this.#segmentBytes, (pages + 1) * pageUnits * unitBytes))
    // The first page stays free: no block has a reference that stands for something else.
    const all = Math.floor(buffer.byteLength / (pageUnits * unitBytes)) - 1
    this.#add({ ref: first + pageUnits, pages: all })
    return buffer
  }

  #add(run: Run): void {
    this.#from.set(run.ref, run)
    this.#upTo.set(run.ref + run.pages * pageUnits, run)
  }

  #remove(run: Run): void {
    this.#from.delete(run.ref)
    this.#upTo.delete(run.ref + run.pages * pageUnits)
  }
}

/** How many pages hold so many units. */
export function pagesFor(units: number): number {
  return (units + pageUnits - 1) >> pageShift
}
