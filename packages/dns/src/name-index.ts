import type { DomainName } from './name.ts'
import { nameSortKey, sortedByName } from './name-order.ts'

/** Names in canonical order, to be asked and not to be changed. */
export type SortedNames = Omit<NameIndex, 'add' | 'delete'>

/**
 * Names in canonical order (RFC 4034 §6.1), for the question which of them comes before another: an NSEC record says that
 * nothing lies between its owner and the next name (RFC 4034 §4).
 *
 * Asking costs the logarithm of the number of names; adding and deleting move all names behind the place.
 */
export class NameIndex implements Iterable<DomainName> {
  readonly #sorted: DomainName[]

  constructor(names: Iterable<DomainName> = []) {
    this.#sorted = sortedByName(names, (name) => name)
  }

  get size(): number {
    return this.#sorted.length
  }

  [Symbol.iterator](): Iterator<DomainName> {
    return this.#sorted.values()
  }

  /** The last name before `name`, which need not be here itself; `undefined` when none is. */
  before(name: DomainName): DomainName | undefined {
    return this.#sorted[this.#placeOf(name) - 1]
  }

  /** The first name after `name`, which need not be here itself; `undefined` when none is. */
  after(name: DomainName): DomainName | undefined {
    const place = this.#placeOf(name)
    return this.#sorted[this.#sorted[place] === name ? place + 1 : place]
  }

  /** Adds a name; nothing happens when it is there. */
  add(name: DomainName): void {
    const place = this.#placeOf(name)
    if (this.#sorted[place] !== name) this.#sorted.splice(place, 0, name)
  }

  /** Takes a name away; nothing happens when it is not there. */
  delete(name: DomainName): void {
    const place = this.#placeOf(name)
    if (this.#sorted[place] === name) this.#sorted.splice(place, 1)
  }

  /** How many names come before `name`. */
  #placeOf(name: DomainName): number {
    const key = nameSortKey(name)
    let low = 0
    let high = this.#sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const there = this.#sorted[middle]
      if (there !== undefined && nameSortKey(there) < key) low = middle + 1
      else high = middle
    }
    return low
  }
}
