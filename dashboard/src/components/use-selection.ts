import { useMemo, useRef, useState } from 'react'
import { keepAt, keptAt } from '../util/kept-in-tab.ts'
import { keysBetween } from '../util/sorted-rows.ts'

/** The items of a list that a person has selected, by their keys. */
export interface Selection<T> {
  readonly keys: ReadonlySet<string>
  /** Selects or deselects an item. `isRange`: also all items of the list between the last one and this one. */
  readonly toggle: (item: T, isRange: boolean) => void
  /** How many of the items of the list are selected; undefined: none of them can be. */
  readonly extent: 'none' | 'some' | 'all' | undefined
  /** Selects all items of the list, or deselects them if all of them are selected. */
  readonly toggleAll: () => void
  readonly clear: () => void
}

/**
 * `selectable`: the items of the list, in its order, from which ranges are taken. `place`: the tab keeps the selection under this name, so that it is
 * there after a reload, and when the person returns to the list.
 */
export function useSelection<T>(selectable: readonly T[], keyOf: (item: T) => string, place?: string): Selection<T> {
  const [keys, setKeys] = useState<ReadonlySet<string>>(() => new Set(place === undefined ? [] : selectedAt(place)))
  const last = useRef<string>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function is the same for each list
  const listed = useMemo(() => selectable.map(keyOf), [selectable])
  const chosen = keys.size === 0 ? 0 : listed.filter((key) => keys.has(key)).length
  const extent = chosen === 0 ? 'none' : chosen < listed.length ? 'some' : 'all'
  const set = (next: ReadonlySet<string>): void => {
    setKeys(next)
    if (place !== undefined) keepAt(placeOf(place), next.size === 0 ? undefined : [...next])
  }
  return {
    keys,
    extent: listed.length === 0 ? undefined : extent,
    toggle: (item, isRange) => {
      const key = keyOf(item)
      const next = new Set(keys)
      for (const one of isRange ? keysBetween(listed, last.current, key) : [key])
        if (keys.has(key)) next.delete(one)
        else next.add(one)
      last.current = key
      set(next)
    },
    toggleAll: () => set(new Set(extent === 'all' ? [] : listed)),
    clear: () => set(new Set()),
  }
}

/** The keys that are selected in a list whose selection the tab keeps. */
export function selectedAt(place: string): readonly string[] {
  return keptAt<readonly string[]>(placeOf(place)) ?? []
}

/** Removes items that were dealt with from a stored selection. */
export function selectOnly(place: string, isKept: (key: string) => boolean): void {
  const kept = selectedAt(place).filter(isKept)
  keepAt(placeOf(place), kept.length === 0 ? undefined : kept)
}

function placeOf(place: string): string {
  return `selected-${place}`
}
