import { pageShift, segmentShift, unitOf } from './layout.ts'
import { type Pages, pagesFor } from './pages.ts'

/** Blocks of more units have pages of their own. */
export const mostSlabUnits = 512
/** Room for four of the largest blocks. */
const slabUnits = 4 * mostSlabUnits
/** Up to here there is a slab for each size; above, sizes are rounded up by an eighth at most. */
const exactUnits = 32

/** Some pages cut into blocks of one size. */
interface Slab {
  readonly ref: number
  readonly units: number
  /** How many of its blocks were ever handed out; those that came back. */
  begun: number
  readonly free: number[]
}

/**
 * Small blocks, by size: those of a size lie together in slabs. A slab whose blocks have all come back is free for any other use, so
 * that a zone whose records grow does not keep the memory of all the sizes that they ever had.
 */
export class Slabs {
  readonly #pages: Pages
  /** By units: slabs with room. */
  readonly #open: Set<Slab>[] = Array.from({ length: mostSlabUnits + 1 }, () => new Set())
  /** By segment and page: the slab it belongs to. */
  readonly #slabOf: (Slab | undefined)[][] = []

  constructor(pages: Pages) {
    this.#pages = pages
  }

  /** A block of so many units, as `blockUnits` rounds them. */
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
    // One without blocks is kept: sizes that come and go one at a time would make slabs again and again.
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

/** What a block of so many units takes up. */
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
