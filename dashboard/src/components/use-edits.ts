import { useQuery } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { queries } from '../api/queries.ts'
import { Bell } from '../util/bell.ts'
import { type Edit, type Edits, noEdits } from '../util/edits.ts'
import { randomKey } from '../util/random-key.ts'

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
  tellOtherTabs()
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
  tellOtherTabs()
}

/** The number of unsaved edits of all zones. */
export function countEdits(): number {
  return Object.values(ownCounts()).reduce((sum, count) => sum + count, 0)
}

/** The number of edits at each place of this tab. */
function ownCounts(): Record<string, number> {
  const places = Object.keys(sessionStorage).filter((place) => place.startsWith(prefix))
  return Object.fromEntries(places.map((place) => [place, read(place).size]))
}

/** The message that each tab sends to the others: its number of edits. A new tab requests it. */
type TabMessage = { readonly asks: true } | { readonly tab: string; readonly counts: Record<string, number> }

const tab = randomKey()
const otherTabs = new Map<string, Record<string, number>>()
const channel = new BroadcastChannel('zonewright-edits')

function tellOtherTabs(counts = ownCounts()): void {
  channel.postMessage({ tab, counts } satisfies TabMessage)
}

channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
  if ('asks' in data) return tellOtherTabs()
  if (Object.keys(data.counts).length === 0) otherTabs.delete(data.tab)
  else otherTabs.set(data.tab, data.counts)
  changed.tell()
})
window.addEventListener('pagehide', () => tellOtherTabs({}))
window.addEventListener('pageshow', () => {
  tellOtherTabs()
  channel.postMessage({ asks: true } satisfies TabMessage)
})

/** How many unsaved edits of a zone this person has, by the zone's id: in this tab, and in the other tabs of this browser. */
export function useEditCounts(): (zone: string) => { readonly here: number; readonly elsewhere: number } {
  const { data: account } = useQuery(queries.account())
  useSyncExternalStore(changed.listen, () => JSON.stringify([ownCounts(), ...otherTabs.values()]))
  return (zone) => {
    const place = placeOf(account?.id ?? '', zone)
    return {
      here: read(place).size,
      elsewhere: [...otherTabs.values()].reduce((sum, counts) => sum + (counts[place] ?? 0), 0),
    }
  }
}

/** This person's unsaved edits of a zone, and a function that replaces them. */
export function useEdits(zone: string): [Edits, (change: (edits: Edits) => Edits) => void] {
  const { data: account } = useQuery(queries.account())
  const place = placeOf(account?.id ?? '', zone)
  const edits = useSyncExternalStore(changed.listen, () => read(place))
  const change = useCallback((by: (edits: Edits) => Edits) => write(place, by(read(place))), [place])
  return [edits, change]
}
