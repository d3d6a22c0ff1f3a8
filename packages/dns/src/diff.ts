import { missingFrom, sortedData } from './data-set.ts'
import type { DomainName } from './name.ts'
import { sortedByName } from './name-order.ts'
import { equalData, type RecordData } from './rdata-wire.ts'
import { type ResourceRecord, type Rrset, recordsOf } from './rrset.ts'
import type { RrType } from './type.ts'

/** The difference between two states of a zone; the SOA is included on both sides if the serial changes. */
export interface ZoneDiff {
  readonly removed: readonly ResourceRecord[]
  readonly added: readonly ResourceRecord[]
}

/**
 * The records to remove from `before` and to add to get `after`, in canonical order. A changed TTL replaces every record of the rrset. Each rrset
 * appears at most once on either side.
 */
export function diffRrsets(before: Iterable<Rrset>, after: Iterable<Rrset>): ZoneDiff {
  const removed: ResourceRecord[] = []
  const added: ResourceRecord[] = []
  for (const [, pairs] of sortedByName(pairUp(before, after), ([name]) => name)) {
    for (const [, pair] of [...pairs].sort(([a], [b]) => a - b)) comparePair(pair, removed, added)
  }
  return { removed, added }
}

interface RrsetPair {
  old?: Rrset
  new?: Rrset
}

function pairUp(before: Iterable<Rrset>, after: Iterable<Rrset>): Map<DomainName, Map<RrType, RrsetPair>> {
  const byName = new Map<DomainName, Map<RrType, RrsetPair>>()
  const pairOf = ({ name, type }: Rrset): RrsetPair => {
    const types = byName.get(name) ?? new Map<RrType, RrsetPair>()
    if (types.size === 0) byName.set(name, types)
    const pair = types.get(type) ?? {}
    types.set(type, pair)
    return pair
  }
  for (const rrset of before) pairOf(rrset).old = rrset
  for (const rrset of after) pairOf(rrset).new = rrset
  return byName
}

function comparePair({ old, new: fresh }: RrsetPair, removed: ResourceRecord[], added: ResourceRecord[]): void {
  if (old === fresh) return
  if (old?.ttls !== undefined || fresh?.ttls !== undefined) {
    const [before, after] = [old, fresh].map((rrset) => (rrset === undefined ? [] : recordsOf(rrset)))
    removed.push(...recordsMissing(after ?? [], before ?? []))
    added.push(...recordsMissing(before ?? [], after ?? []))
    return
  }
  const oldData = sortedData(old?.data ?? [])
  const newData = sortedData(fresh?.data ?? [])
  const keepsTtl = old !== undefined && fresh !== undefined && old.ttl === fresh.ttl
  if (old !== undefined) pushRecords(old, keepsTtl ? missingFrom(newData, oldData) : oldData, removed)
  if (fresh !== undefined) pushRecords(fresh, keepsTtl ? missingFrom(oldData, newData) : newData, added)
}

function pushRecords({ name, type, ttl }: Rrset, data: readonly RecordData[], records: ResourceRecord[]): void {
  for (const item of data) records.push({ name, type, ttl, data: item })
}

/** The signatures of one name that are not among `others` with the same TTL. */
function recordsMissing(others: readonly ResourceRecord[], records: readonly ResourceRecord[]): ResourceRecord[] {
  return records.filter(({ ttl, data }) => !others.some((other) => other.ttl === ttl && equalData(other.data, data)))
}
