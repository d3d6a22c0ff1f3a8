import { sortedData } from './data-set.ts'
import type { DomainName } from './name.ts'
import { sortedByName } from './name-order.ts'
import type { RecordData } from './rdata-wire.ts'
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
  return sortedByName(byName, ([name]) => name).flatMap(([name, types]) =>
    [...types]
      .sort(([a], [b]) => a - b)
      .map(([type, same]) => ({ name, type, ttl: lowestTtl(same), data: uniqueData(same) })),
  )
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
