import { pageShift, segmentShift, unitOf } from './layout.ts'
import { type Pages, pagesFor } from './pages.ts'

/** Larger blocks have their own pages. */
export const mostSlabUnits = 512
/** A slab has room for four of the largest blocks. */
const slabUnits = 4 * mostSlabUnits
/** Up to this size, each size has its own slabs. Larger sizes are rounded up by at most an eighth. */
const exactUnits = 32

/** A run of pages that is divided into blocks of one size. */
interface Slab {
  readonly ref: number
  readonly units: number
  /** How many of its blocks were ever allocated, and the ones that were freed. */
  begun: number
  readonly free: number[]
}

/**
 * Allocates small blocks. Blocks of the same size are together in slabs. A slab whose blocks are all freed can be used for anything else, so a zone
 * whose records grow does not keep memory for every size that they ever had.
 */
export class Slabs {
  readonly #pages: Pages
  /** The slabs with free blocks, by the size of their blocks in units. */
  readonly #open: Set<Slab>[] = Array.from({ length: mostSlabUnits + 1 }, () => new Set())
  /** The slab of each page, by segment and page. */
  readonly #slabOf: (Slab | undefined)[][] = []

  constructor(pages: Pages) {
    this.#pages = pages
  }

  /** Allocates a block of the given number of units, as rounded by `blockUnits`. */
  allocate(units: number): number {
    const open = this.#open[units] as Set<Slab>
    const [slab = this.#make(units, open)] = open
    const ref = slab.free.pop() ?? slab.ref + slab.begun++ * units
    if (slab.free.length === 0 && slab.begun === blocksOf(units)) open.delete(slab)
    return ref
  }

  free(ref: number): void {
    const slab = this.#slabOf[ref >>> segmentShift]?.[pageOf(ref)] as Slab
    const open = this.#open[slab.units] as Set<Slab>
    slab.free.push(ref)
    open.add(slab)
    // One empty slab is kept. Otherwise, allocating and freeing single blocks would create slabs again and again.
    if (slab.free.length === slab.begun && open.size > 1) this.#giveBack(slab, open)
  }

  #make(units: number, open: Set<Slab>): Slab {
    const pages = pagesFor(slabUnits)
    const slab: Slab = { ref: this.#pages.allocate(pages), units, begun: 0, free: [] }
    this.#mark(slab, slab)
    open.add(slab)
    return slab
  }

  #giveBack(slab: Slab, open: Set<Slab>): void {
    open.delete(slab)
    this.#mark(slab, undefined)
    this.#pages.free(slab.ref, pagesFor(slabUnits))
  }

  #mark({ ref }: Slab, slab: Slab | undefined): void {
    const segment = ref >>> segmentShift
    while (this.#slabOf.length <= segment) this.#slabOf.push([])
    const pages = this.#slabOf[segment] as (Slab | undefined)[]
    for (let page = pageOf(ref); page < pageOf(ref) + pagesFor(slabUnits); page++) pages[page] = slab
  }
}

/** The actual size of a block of the given number of units. */
export function blockUnits(units: number): number {
  if (units <= exactUnits) return units
  if (units > mostSlabUnits) return pagesFor(units) << pageShift
  const step = 1 << (28 - Math.clz32(units - 1))
  return (units + step - 1) & -step
}

function blocksOf(units: number): number {
  return Math.floor(slabUnits / units)
}

function pageOf(ref: number): number {
  return unitOf(ref) >> pageShift
}
