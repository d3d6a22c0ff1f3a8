import { pageShift, pageUnits, segmentShift, unitBytes } from './layout.ts'
import type { Segments } from './segments.ts'

/** A run of pages of a segment that are allocated or free together: its beginning, as a reference, and its number of pages. */
interface Run {
  readonly ref: number
  readonly pages: number
}

/**
 * Allocates the memory of all segments in runs of pages. A freed run is merged with the free runs next to it, so that the memory of small blocks can
 * later be used for blocks of any size.
 */
export class Pages {
  readonly #segments: Segments
  readonly #segmentBytes: number
  readonly #onSegment: (buffer: SharedArrayBuffer) => void
  /** The free runs by their beginning, and by their end. */
  readonly #from = new Map<number, Run>()
  readonly #upTo = new Map<number, Run>()

  /** `onSegment` is called for every segment after the first, before anything is placed in it. */
  constructor(segments: Segments, onSegment: (buffer: SharedArrayBuffer) => void, segmentBytes: number) {
    this.#segments = segments
    this.#segmentBytes = segmentBytes
    this.#onSegment = onSegment
    this.#reserve(0)
  }

  /** Allocates a run of the given number of pages. @throws Error if there is no memory left. */
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

  /** The smallest free run that is large enough. So the large runs, which were never written to, stay whole. */
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

  /** Adds a segment, with the given number of pages if the system provides them. */
  #reserve(pages: number): SharedArrayBuffer {
    const first = this.#segments.words.length * 2 ** segmentShift
    const buffer = this.#segments.reserve(Math.max(this.#segmentBytes, (pages + 1) * pageUnits * unitBytes))
    // The first page stays free, so that no block has one of the reserved references.
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

/** How many pages the given number of units needs. */
export function pagesFor(units: number): number {
  return (units + pageUnits - 1) >> pageShift
}
