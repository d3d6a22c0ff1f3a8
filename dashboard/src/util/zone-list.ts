import { dsWord, isExpiry, matching, type SortKeys, sortedBy } from './listed.ts'
import { notesContain, type ShownNotes } from './notes.ts'

/** The filters and the order of the list of zones, as in the URL. A filter that is absent has no effect. */
export interface ZoneSearch {
  readonly q?: string
  readonly state?: string
  readonly role?: string
  readonly delegation?: string
  readonly dnssec?: string
  /** `month`, `expired`, or `unknown`. */
  readonly expiry?: string
  readonly label?: string
  readonly preset?: string
  /** As in the API. */
  readonly sort?: string
}

export const zoneSearchNames = [
  ...(['q', 'state', 'role', 'delegation', 'dnssec'] as const),
  ...(['expiry', 'label', 'preset', 'sort'] as const),
]

/** The members of a zone that the filters and the order use. */
export interface ListedZone extends ShownNotes {
  readonly name: string
  readonly unicode_name: string
  readonly state: string
  readonly role: string
  readonly delegation: { readonly state: string }
  readonly dnssec: { readonly parent_ds: boolean | null }
  readonly expires_at: string | null
  readonly presets: readonly string[]
  readonly rrset_count: number
  readonly created_at: string
}

/** The zones that match all filters, in their order. `now`: milliseconds. */
export function shownZones<T extends ListedZone>(zones: readonly T[], search: ZoneSearch, now: number): readonly T[] {
  const { state, role, delegation, dnssec, expiry, label, preset, sort } = search
  const text = (search.q ?? '').trim().toLowerCase()
  const found = matching(zones, [
    [
      text,
      (zone) => zone.name.includes(text) || zone.unicode_name.toLowerCase().includes(text) || notesContain(zone, text),
    ],
    [state, (zone) => zone.state === state],
    [role, (zone) => zone.role === role],
    [delegation, (zone) => zone.delegation.state === delegation],
    [dnssec, (zone) => dsWord(zone.dnssec) === dnssec],
    [expiry, (zone) => isExpiry(zone.expires_at, expiry, now)],
    [label, ({ labels = [] }) => label !== undefined && labels.includes(label)],
    [preset, ({ presets }) => preset !== undefined && presets.includes(preset)],
  ])
  return sortedBy(found, sort, sortKeys)
}

const sortKeys: SortKeys<ListedZone> = {
  state: ({ state }) => state,
  delegation: ({ delegation }) => delegation.state,
  expires_at: ({ expires_at: at }) => at,
  rrset_count: ({ rrset_count: count }) => count,
  created_at: ({ created_at: at }) => at,
}

/** The labels that zones have, and how many zones have each, in the order of the labels. */
export function labelsOf(zones: readonly ShownNotes[]): { label: string; zones: number }[] {
  const counts = new Map<string, number>()
  for (const { labels = [] } of zones) for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1)
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([label, count]) => ({ label, zones: count }))
}

/** The presets that were applied to zones. */
export function presetsOf(zones: readonly Pick<ListedZone, 'presets'>[]): string[] {
  return [...new Set(zones.flatMap(({ presets }) => presets))].sort()
}
