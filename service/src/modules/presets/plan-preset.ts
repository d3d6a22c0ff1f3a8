import type { RrsetChange, StoredRrset } from '#modules/records/index.ts'
import { namesAbove } from '#modules/zones/index.ts'
import { valuesThatStay } from './conflicts.ts'
import type { WantedRecord } from './fill-template.ts'
import { isSpf, mergeSpf } from './spf.ts'

/** The owner names whose rrsets the plan needs; undefined: all of the zone's, because a delegation removes everything below it. */
export function namesToRead(zone: string, wanted: readonly WantedRecord[]): string[] | undefined {
  if (wanted.some(({ type }) => type === 'NS')) return undefined
  return [...new Set(wanted.flatMap(({ name }) => withAncestors(zone, name)))]
}

/** The name, and those above it up to the zone's: one of them may be delegated. */
function withAncestors(zone: string, name: string): string[] {
  return [name, ...namesAbove(name)].filter((each) => each.length >= zone.length)
}

/**
 * What has to change in a zone so that it has the wanted records: whole rrsets; those to be removed have no records.
 *
 * `existing` must have every rrset at the names of `namesToRead`. Planning on the result of the plan changes nothing.
 */
export function planPreset(existing: readonly StoredRrset[], wanted: readonly WantedRecord[]): RrsetChange[] {
  const stays = new Map(existing.map((rrset) => [keyOf(rrset), { ...rrset, records: valuesThatStay(rrset, wanted) }]))
  const byRrset = Map.groupBy(wanted, keyOf)
  const set = [...byRrset].map(([key, records]) => rrsetWith(stays.get(key), records))
  const lost = existing.filter((rrset) => !byRrset.has(keyOf(rrset)) && stays.get(keyOf(rrset))?.records.length === 0)
  return [...set, ...lost.map(({ name, type }) => replacing(name, type, undefined, []))]
}

function rrsetWith(stays: StoredRrset | undefined, wanted: readonly WantedRecord[]): RrsetChange {
  const kept = stays?.records ?? []
  const rules = wanted.flatMap((record) => ('spfRules' in record ? record.spfRules : []))
  const hasRules = wanted.some((record) => 'spfRules' in record)
  const spf = hasRules ? [mergeSpf(kept.filter(isSpf), rules)] : []
  const others = hasRules ? kept.filter((value) => !isSpf(value)) : kept
  const values = wanted.flatMap((record) => ('value' in record ? [record.value] : []))
  // If the TTLs in one rrset differ, the lowest is used (RFC 2181 §5.2 allows only one).
  const ttl = Math.min(...wanted.map(({ ttl }) => ttl), ...(stays && kept.length > 0 ? [stays.ttl] : []))
  const [{ name, type } = { name: '', type: '' }] = wanted
  const ifNew = wanted.flatMap((record) => record.ifNew ?? [])
  const change = replacing(name, type, ttl, [...new Set([...others, ...spf, ...values])])
  return ifNew.length === 0 ? change : { ...change, ifNew }
}

function replacing(name: string, type: string, ttl: number | undefined, records: readonly string[]): RrsetChange {
  return { name, type, ttl, ask: { kind: 'replace', records } }
}

function keyOf({ name, type }: { readonly name: string; readonly type: string }): string {
  return `${name} ${type}`
}
