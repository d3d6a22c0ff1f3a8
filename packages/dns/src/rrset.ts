import { sortedData } from './data-set.ts'
import type { DomainName } from './name.ts'
import { sortedByName } from './name-order.ts'
import { compareData, equalData, type RecordData } from './rdata-wire.ts'
import { RrType, typeToText } from './type.ts'

/** All records of one owner name and type (RFC 2181 §5), class IN. `ttl` in seconds. */
export interface Rrset {
  readonly name: DomainName
  readonly type: RrType
  readonly ttl: number
  readonly data: readonly RecordData[]
  /**
   * Only for RRSIG, if they differ: the TTL of each record, in the order of `data`, which is then canonical. A signature has the TTL of the
   * rrset that it covers (RFC 4034 §3). `ttl` is the lowest.
   */
  readonly ttls?: readonly number[]
}

/** One record, class IN. `ttl` in seconds. */
export interface ResourceRecord {
  readonly name: DomainName
  readonly type: RrType
  readonly ttl: number
  readonly data: RecordData
}

/** A record as messages name it, such as "the A record of www.example.com." */
export function recordInWords({ name, type }: Pick<ResourceRecord, 'name' | 'type'>): string {
  return `the ${typeToText(type)} record of ${name}`
}

/**
 * Groups records into rrsets in canonical order (RFC 4034 §6), with their data in canonical order. Duplicates become one record. If the TTLs of an
 * rrset differ, the lowest one is used (RFC 2181 §5.2). Signatures keep theirs: they do not form an rrset (RFC 4035 §2.2).
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
      .map(([type, same]) =>
        type === RrType.RRSIG
          ? { name, type, ...signatures(same) }
          : { name, type, ttl: lowestTtl(same), data: uniqueData(same) },
      ),
  )
}

/** Signatures of one name, each with its own TTL. */
export function signatures(
  records: readonly Pick<ResourceRecord, 'ttl' | 'data'>[],
): Pick<Rrset, 'ttl' | 'data' | 'ttls'> {
  const sorted = [...records].sort((a, b) => compareData(a.data, b.data) || a.ttl - b.ttl)
  const unique = sorted.filter(({ data }, i) => i === 0 || !equalData(data, sorted[i - 1]?.data ?? data))
  const ttls = unique.map(({ ttl }) => ttl)
  const ttl = Math.min(...ttls)
  return { ttl, data: unique.map(({ data }) => data), ...(ttls.some((each) => each !== ttl) && { ttls }) }
}

function lowestTtl(records: readonly ResourceRecord[]): number {
  return records.reduce((lowest, record) => Math.min(lowest, record.ttl), Number.MAX_SAFE_INTEGER)
}

function uniqueData(records: readonly ResourceRecord[]): RecordData[] {
  return sortedData(records.map((record) => record.data))
}

/** The records of an rrset, in its order. */
export function recordsOf(rrset: Rrset): ResourceRecord[] {
  const { name, type, ttl, ttls } = rrset
  return rrset.data.map((data, i) => ({ name, type, ttl: ttls?.[i] ?? ttl, data }))
}

/** The type that a signature covers (RFC 4034 §3.1.1). */
export function coveredType(rrsig: RecordData): number {
  return ((rrsig[0] ?? 0) << 8) | (rrsig[1] ?? 0)
}

/** Those signatures of an RRSIG rrset that `isWanted`, by the type that they cover, each with its TTL; `undefined` if there are none. */
export function signaturesOver<Signed extends Pick<Rrset, 'ttl' | 'data' | 'ttls'>>(
  rrsig: Signed,
  isWanted: (covered: number) => boolean,
): Pick<Rrset, 'ttl' | 'data' | 'ttls'> | undefined {
  const records = rrsig.data.map((data, i) => ({ data, ttl: rrsig.ttls?.[i] ?? rrsig.ttl }))
  const wanted = records.filter(({ data }) => isWanted(coveredType(data)))
  return wanted.length === 0 ? undefined : signatures(wanted)
}
