import { displayQuoted, type PowerdnsEntry } from '@zonewright/contract'
import { contextFault, DnsFault, hasFinalDot, parseType, type RrType, ttlBounds } from '@zonewright/dns'
import { firstCharacters } from '#platform/bounded-text.ts'
import type { FaultDetail, Faults } from '#platform/errors.ts'

/** A change that an entry requests, and the place of the entry in the request. */
export interface EntryChange {
  readonly name: string
  readonly type: string
  readonly ttl?: number | undefined
  readonly ask:
    | { readonly kind: 'replace'; readonly records: readonly string[] }
    | { readonly kind: 'edit'; readonly add: readonly string[]; readonly remove: readonly string[] }
  readonly place: number
}

/**
 * The changes in the entries of a request. An entry that only has comments is not a change.
 *
 * `isNew`: the entries are those of a new zone. They need no `changetype`.
 *
 * Refuses what PowerDNS refuses, and the API does not: names without a final dot, and texts without quotes. Adds all errors to `faults`.
 */
export function* readEntries(
  entries: readonly PowerdnsEntry[],
  { isNew, faults }: { readonly isNew: boolean; readonly faults: Faults },
): Generator<undefined, EntryChange[]> {
  const changes: EntryChange[] = []
  for (const [place, entry] of entries.entries()) {
    const found = [...entryFaults(entry, isNew)]
    for (const { path, ...fault } of found) faults.add({ path: `/rrsets/${place}/${path}`, ...fault })
    const change = found.length > 0 ? undefined : changeOf(entry, isNew)
    if (change) changes.push({ ...change, place })
    yield
  }
  return changes
}

type ChangeType = 'REPLACE' | 'DELETE' | 'EXTEND' | 'PRUNE'

function changeTypeOf({ changetype }: PowerdnsEntry, isNew: boolean): ChangeType | undefined {
  const text = changetype?.toUpperCase() ?? (isNew ? 'REPLACE' : undefined)
  return text === 'REPLACE' || text === 'DELETE' || text === 'EXTEND' || text === 'PRUNE' ? text : undefined
}

/** The errors of an entry that do not depend on the zone. The paths are those of its members. */
function* entryFaults(entry: PowerdnsEntry, isNew: boolean): Generator<FaultDetail & { path: string }> {
  const { name, records } = entry
  const change = changeTypeOf(entry, isNew)
  if (change === undefined)
    yield {
      path: 'changetype',
      code: 'invalid',
      message: 'The changetype must be REPLACE, DELETE, EXTEND or PRUNE.',
    }
  if (!hasFinalDot(name))
    yield {
      path: 'name',
      code: 'relative_name',
      message: `${quoted(name)} needs a final dot, such as ${quoted(`${name}.`)}.`,
    }
  if (change === undefined || change === 'DELETE' || hasOnlyComments(entry)) return
  const needsTtl = change === 'REPLACE' || (change === 'EXTEND' && entry.ttl != null)
  if (needsTtl && ttlOf(entry) === undefined)
    yield { path: 'ttl', code: 'bad_ttl', message: 'The ttl must be a whole number of seconds.' }
  if (change !== 'REPLACE' && !records?.length)
    yield { path: 'records', code: 'missing', message: `${change} needs at least one record.` }
  yield* recordFaults(entry)
}

function* recordFaults({ type, records }: PowerdnsEntry): Generator<FaultDetail & { path: string }> {
  const known = knownType(type)
  for (const [i, { content, disabled }] of (records ?? []).entries()) {
    const path = `records/${i}`
    if (disabled) yield { path, code: 'disabled', message: 'Disabled records are not supported. Leave the record out.' }
    // The type is checked with the rest of the change.
    const fault = known === undefined ? undefined : contextFault(known, content)
    if (fault) yield { path, ...fault }
  }
}

function changeOf(entry: PowerdnsEntry, isNew: boolean): Omit<EntryChange, 'place'> | undefined {
  if (hasOnlyComments(entry)) return undefined
  const { name, type } = entry
  const contents = (entry.records ?? []).map(({ content }) => content)
  const ttl = clamped(ttlOf(entry))
  const change = changeTypeOf(entry, isNew)
  if (change === 'EXTEND') return { name, type, ttl, ask: { kind: 'edit', add: contents, remove: [] } }
  if (change === 'PRUNE') return { name, type, ask: { kind: 'edit', add: [], remove: contents } }
  if (change === 'DELETE' || contents.length === 0) return { name, type, ask: { kind: 'replace', records: [] } }
  return { name, type, ttl, ask: { kind: 'replace', records: contents } }
}

/** The entry changes only the comments of a record set, which do not exist here. */
function hasOnlyComments({ records, comments, changetype }: PowerdnsEntry): boolean {
  return changetype?.toUpperCase() === 'REPLACE' && records == null && Array.isArray(comments)
}

/** Maximum TTL in seconds (RFC 2181 §8). */
const maxTtl = 2 ** 31 - 1

/** The TTL of an entry. As in PowerDNS, it may be a text of digits, which Proxmox sends. */
function ttlOf({ ttl }: PowerdnsEntry): number | undefined {
  const seconds = typeof ttl === 'string' && /^\d{1,10}$/.test(ttl) ? Number(ttl) : ttl
  return typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 0 && seconds <= maxTtl
    ? seconds
    : undefined
}

/** Clients have other defaults, and cannot read our bounds. */
function clamped(ttl: number | undefined): number | undefined {
  return ttl === undefined ? undefined : Math.min(Math.max(ttl, ttlBounds.least), ttlBounds.most)
}

function knownType(text: string): RrType | undefined {
  try {
    return parseType(text)
  } catch (fault) {
    if (fault instanceof DnsFault) return undefined
    throw fault
  }
}

function quoted(text: string): string {
  return displayQuoted(firstCharacters(text))
}
