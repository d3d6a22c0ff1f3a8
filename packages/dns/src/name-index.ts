import type { DomainName } from './name.ts'
import { nameSortKey, sortedByName } from './name-order.ts'

/** A read-only list of names in canonical order. */
export type SortedNames = Omit<NameIndex, 'add' | 'delete'>

/**
 * Names in canonical order (RFC 4034 §6.1), to find the name before another one: an NSEC record proves that there is no name between its owner and
 * the next name (RFC 4034 §4).
 *
 * The time of a search is logarithmic in the number of names. Adding and deleting move all names after the position.
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

  /** The last name before `name`, which need not be in the list; `undefined` if there is none. */
  before(name: DomainName): DomainName | undefined {
    return this.#sorted[this.#placeOf(name) - 1]
  }

  /** The first name after `name`, which need not be in the list; `undefined` if there is none. */
  after(name: DomainName): DomainName | undefined {
    const place = this.#placeOf(name)
    return this.#sorted[this.#sorted[place] === name ? place + 1 : place]
  }

  /** Adds a name. Does nothing if it is already in the list. */
  add(name: DomainName): void {
    const place = this.#placeOf(name)
    if (this.#sorted[place] !== name) this.#sorted.splice(place, 0, name)
  }

  /** Removes a name. Does nothing if it is not in the list. */
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
