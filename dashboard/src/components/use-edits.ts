import { useCallback, useSyncExternalStore } from 'react'
import type { Edit, Edits } from '../util/edits.ts'

/** Edits are kept for the tab, so that a reload or a lost session loses none. Each zone has its own. */
const prefix = 'zonewright-edits:'
const cache = new Map<string, Edits>()
const listeners = new Set<() => void>()
const none: Edits = new Map()

function read(zone: string): Edits {
  const known = cache.get(zone)
  if (known) return known
  const kept = sessionStorage.getItem(prefix + zone)
  const edits: Edits = kept === null ? none : new Map(JSON.parse(kept) as [string, Edit][])
  cache.set(zone, edits)
  return edits
}

function write(zone: string, edits: Edits): void {
  cache.set(zone, edits)
  if (edits.size === 0) sessionStorage.removeItem(prefix + zone)
  else sessionStorage.setItem(prefix + zone, JSON.stringify([...edits]))
  for (const listener of listeners) listener()
}

/** Forgets the edits of every zone: whoever signs in next has none. */
export function forgetEdits(): void {
  cache.clear()
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
}

/** The edits of a zone that are not saved yet, and what replaces them. */
export function useEdits(zone: string): [Edits, (change: (edits: Edits) => Edits) => void] {
  const edits = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => read(zone),
  )
  const change = useCallback((by: (edits: Edits) => Edits) => write(zone, by(read(zone))), [zone])
  return [edits, change]
}
