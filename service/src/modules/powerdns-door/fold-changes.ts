import type { NewFault, RrsetChange } from '#modules/records/index.ts'

/** A change of a record set, and the index of its entry in the request. */
export interface PlacedChange {
  readonly change: RrsetChange
  readonly place: number
}

/**
 * The changes of a request with one change for each record set. Entries for the same record set are applied in order, so a later one takes
 * precedence. The place of a folded change is that of its last entry.
 *
 * Pauses between entries: there may be ten thousand.
 */
export function* foldChanges(entries: readonly PlacedChange[]): Generator<undefined, PlacedChange[]> {
  const folds = new Map<string, Fold>()
  for (const { change, place } of entries) {
    const key = `${change.name} ${change.type}`
    const fold = folds.get(key) ?? new Fold(change)
    fold.apply(change, place)
    folds.set(key, fold)
    yield
  }
  return [...folds.values()].map((fold) => fold.result())
}

/** The entries for one record set so far. The time to add one depends on the size of the entry, not of the record set. */
class Fold {
  readonly #name: string
  readonly #type: string
  readonly #values = new Set<string>()
  readonly #removed = new Set<string>()
  /** Whether the values replace those of the zone. */
  #isWhole = false
  #ttl: number | undefined
  #ifNew: NewFault[] = []
  #place = 0

  constructor({ name, type }: RrsetChange) {
    this.#name = name
    this.#type = type
  }

  apply({ ask, ttl, ifNew = [] }: RrsetChange, place: number): void {
    this.#place = place
    if (ask.kind !== 'edit') {
      this.#isWhole = true
      this.#values.clear()
      this.#removed.clear()
      this.#ttl = undefined
      this.#ifNew = []
    }
    for (const value of ask.kind === 'edit' ? ask.add : ask.records) {
      this.#values.add(value)
      this.#removed.delete(value)
    }
    for (const value of ask.kind === 'edit' ? ask.remove : []) {
      this.#values.delete(value)
      this.#removed.add(value)
    }
    this.#ttl = ttl ?? this.#ttl
    for (const fault of ifNew) this.#ifNew.push(fault)
  }

  result(): PlacedChange {
    const ask: RrsetChange['ask'] = this.#isWhole
      ? { kind: 'replace', records: [...this.#values] }
      : { kind: 'edit', add: [...this.#values], remove: [...this.#removed] }
    // A value that is not finally written can have any fault.
    const ifNew = this.#ifNew.filter(({ value }) =>
      value === undefined ? this.#values.size > 0 : this.#values.has(value),
    )
    const change = { name: this.#name, type: this.#type, ttl: this.#ttl, ask, ...(ifNew.length > 0 && { ifNew }) }
    return { change, place: this.#place }
  }
}
