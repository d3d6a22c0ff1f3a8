import { useQuery } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { queries } from '../api/queries.ts'
import { Bell } from '../util/bell.ts'
import { type Edit, type Edits, noEdits } from '../util/edits.ts'

/** Edits are stored in the tab, so that a reload or a lost session loses none. Each account has its own edits of each zone. */
const prefix = 'zonewright-edits:'
const cache = new Map<string, Edits>()
const changed = new Bell()

function read(place: string): Edits {
  const known = cache.get(place)
  if (known) return known
  const kept = sessionStorage.getItem(place)
  const edits: Edits = kept === null ? noEdits : new Map(JSON.parse(kept) as [string, Edit][])
  cache.set(place, edits)
  return edits
}

function write(place: string, edits: Edits): void {
  cache.set(place, edits)
  if (edits.size === 0) sessionStorage.removeItem(place)
  else sessionStorage.setItem(place, JSON.stringify([...edits]))
  changed.tell()
}

function placeOf(account: string, zone: string): string {
  return `${prefix}${account}:${zone}`
}

/** Deletes the edits of all accounts, or of all except the signed-in one. */
export function forgetEdits({ exceptOf }: { exceptOf?: string } = {}): void {
  const kept = exceptOf === undefined ? undefined : placeOf(exceptOf, '')
  const isLost = (place: string): boolean => place.startsWith(prefix) && (kept === undefined || !place.startsWith(kept))
  for (const place of [...cache.keys()].filter(isLost)) cache.delete(place)
  for (const place of Object.keys(sessionStorage).filter(isLost)) sessionStorage.removeItem(place)
}

/** The number of unsaved edits of all zones. */
export function countEdits(): number {
  const places = Object.keys(sessionStorage).filter((place) => place.startsWith(prefix))
  return places.reduce((sum, place) => sum + read(place).size, 0)
}

/** This person's unsaved edits of a zone, and a function that replaces them. */
export function useEdits(zone: string): [Edits, (change: (edits: Edits) => Edits) => void] {
  const { data: account } = useQuery(queries.account())
  const place = placeOf(account?.id ?? '', zone)
  const edits = useSyncExternalStore(changed.listen, () => read(place))
  const change = useCallback((by: (edits: Edits) => Edits) => write(place, by(read(place))), [place])
  return [edits, change]
}
