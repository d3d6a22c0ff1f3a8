import { type DomainName, nameSortKey } from './name.ts'
import { compareData, type RecordData } from './rdata-wire.ts'
import type { RrType } from './type.ts'

/** All records of one owner name and type (RFC 2181 §5), class IN. `ttl` in seconds. */
export interface Rrset {
  readonly name: DomainName
  readonly type: RrType
  readonly ttl: number
  readonly data: readonly RecordData[]
}

/** One record, class IN. `ttl` in seconds. */
export interface ResourceRecord {
  readonly name: DomainName
  readonly type: RrType
  readonly ttl: number
  readonly data: RecordData
}

/**
 * Records gathered into rrsets in canonical order (RFC 4034 §6), data in canonical order too. Duplicates become one;
 * where the TTLs of an rrset differ, the lowest wins (RFC 2181 §5.2).
 */
export function groupRecords(records: Iterable<ResourceRecord>): Rrset[] {
  const byName = new Map<DomainName, Map<RrType, ResourceRecord[]>>()
  for (const record of records) {
    const types = byName.get(record.name) ?? new Map<RrType, ResourceRecord[]>()
    if (types.size === 0) byName.set(record.name, types)
    const same = types.get(record.type)
    if (same === undefined) types.set(record.type, [record])
    else same.push(record)
  }
  return sortedByName(byName).flatMap(([name, types]) =>
    [...types]
      .sort(([a], [b]) => a - b)
      .map(([type, same]) => ({ name, type, ttl: lowestTtl(same), data: uniqueData(same) })),
  )
}

/** The entries of a map by name in canonical order. */
export function sortedByName<T>(byName: ReadonlyMap<DomainName, T>): [DomainName, T][] {
  const keyed = Array.from(byName, (entry) => ({ key: nameSortKey(entry[0]), entry }))
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1))
  return keyed.map(({ entry }) => entry)
}

/** Data in canonical order, each once (RFC 2181 §5). */
export function sortedData(data: Iterable<RecordData>): RecordData[] {
  const sorted = [...data].sort(compareData)
  return sorted.filter((item, index) => index === 0 || compareData(item, sorted[index - 1] ?? item) !== 0)
}

function lowestTtl(records: readonly ResourceRecord[]): number {
  return records.reduce((lowest, record) => Math.min(lowest, record.ttl), Number.MAX_SAFE_INTEGER)
}

function uniqueData(records: readonly ResourceRecord[]): RecordData[] {
  return sortedData(records.map((record) => record.data))
}

/** The records of an rrset, in its order. */
export function recordsOf(rrset: Rrset): ResourceRecord[] {
  return rrset.data.map((data) => ({ name: rrset.name, type: rrset.type, ttl: rrset.ttl, data }))
}
