import { useRef, useState } from 'react'
import { keyOf, type ShownRrset } from '../util/edits.ts'
import { keysBetween } from '../util/sorted-rows.ts'

/** The rrsets that a person has selected, by their keys. */
export interface Selection {
  readonly keys: ReadonlySet<string>
  /** Selects an rrset, or no longer. `isRange`: also all rrsets of the list between the last one and this one. */
  readonly toggle: (rrset: ShownRrset, isRange: boolean) => void
  readonly clear: () => void
}

/** `shown`: the list that ranges are taken from. */
export function useSelection(shown: readonly ShownRrset[]): Selection {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string>(undefined)
  return {
    keys,
    toggle: (rrset, isRange) => {
      const key = keyOf(rrset)
      const selectable = shown.filter(({ managed }) => !managed).map(keyOf)
      const next = new Set(keys)
      for (const one of isRange ? keysBetween(selectable, last.current, key) : [key])
        if (keys.has(key)) next.delete(one)
        else next.add(one)
      last.current = key
      setKeys(next)
    },
    clear: () => setKeys(new Set()),
  }
}
