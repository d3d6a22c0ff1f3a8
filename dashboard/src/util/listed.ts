/** A filter of a list: what the URL has, and which items match it. Without a value, every item matches. */
export type Filter<T> = readonly [wanted: string | undefined, matches: (item: T) => boolean]

/** The items that match all filters. */
export function matching<T>(items: readonly T[], filters: readonly Filter<T>[]): readonly T[] {
  const used = filters.filter(([wanted]) => wanted !== undefined && wanted !== '')
  return used.length === 0 ? items : items.filter((item) => used.every(([, matches]) => matches(item)))
}

/** What an item is sorted by; null: not known. */
export type SortKeys<T> = Readonly<Record<string, (item: T) => string | number | null>>

/** Items that are sorted by name, in another order: a member, with a minus sign for the reverse. Unknown values come last, as in the API. */
export function sortedBy<T>(items: readonly T[], sort: string | undefined, keys: SortKeys<T>): readonly T[] {
  const isDescending = sort?.startsWith('-') === true
  const keyOf = keys[(isDescending ? sort?.slice(1) : sort) ?? '']
  if (keyOf === undefined) return sort === '-name' ? items.toReversed() : items
  const keyed = items.map((item) => ({ item, key: keyOf(item) }))
  keyed.sort((a, b) => {
    if (a.key === b.key) return 0
    if (a.key === null || b.key === null) return a.key === null ? 1 : -1
    return a.key < b.key === isDescending ? 1 : -1
  })
  return keyed.map(({ item }) => item)
}

const soonMs = 30 * 86_400_000

/** Whether an expiry matches `month`, `expired` or `unknown`. `now`: milliseconds. */
export function isExpiry(at: string | null, expiry: string | undefined, now: number): boolean {
  if (at === null) return expiry === 'unknown'
  const atMs = Date.parse(at)
  if (expiry === 'expired') return atMs <= now
  return expiry === 'month' && atMs > now && atMs <= now + soonMs
}

/** Whether a domain has DS records, in the words of the API's filters. */
export function dsWord({ parent_ds: hasDs }: { readonly parent_ds: boolean | null }): string {
  return hasDs === null ? 'unknown' : hasDs ? 'ds' : 'no_ds'
}
