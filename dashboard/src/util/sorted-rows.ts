/** What the list of records can be sorted by. */
export type Order = 'name' | 'type' | 'changed'

interface Row {
  readonly name: string
  readonly type: string
  readonly updated_at?: string
}

/**
 * The rows in an order: by name, from the zone's own name down, with each name below its parent (RFC 4034 §6.1); by type; or with the most recently
 * changed first. Rows that are not saved yet count as changed now.
 */
export function sortedRows<T extends Row>(rows: readonly T[], order: Order): readonly T[] {
  const keys = new Map<string, string>()
  const keyOf = (name: string): string => {
    let key = keys.get(name)
    if (key === undefined) {
      key = name.split('.').reverse().join('\u0000')
      keys.set(name, key)
    }
    return key
  }
  const byName = (a: T, b: T): number => compare(keyOf(a.name), keyOf(b.name)) || compare(a.type, b.type)
  if (order === 'type') return rows.toSorted((a, b) => compare(a.type, b.type) || byName(a, b))
  if (order === 'changed')
    return rows.toSorted((a, b) => compare(b.updated_at ?? '~', a.updated_at ?? '~') || byName(a, b))
  return rows.toSorted(byName)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The keys from one row to another, in either direction: what Shift selects. */
export function keysBetween(keys: readonly string[], from: string | undefined, to: string): readonly string[] {
  const [start, end] = [from === undefined ? -1 : keys.indexOf(from), keys.indexOf(to)]
  if (start < 0 || end < 0) return [to]
  return keys.slice(Math.min(start, end), Math.max(start, end) + 1)
}
