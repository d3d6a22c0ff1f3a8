import { missingFrom, sortedData } from './data-set.ts'
import type { ZoneDiff } from './diff.ts'
import { DnsFault } from './faults.ts'
import type { DomainName } from './name.ts'
import { compareData, equalData, type RecordData } from './rdata-wire.ts'
import { type ResourceRecord, type Rrset, recordsOf, signatures } from './rrset.ts'
import { RrType, typeToText } from './type.ts'

/**
 * The rrsets that a difference changes, in their state after it. A removed rrset has no data. The TTL of an added record replaces that of the
 * existing records.
 *
 * @throws DnsFault `bad_zone` if a record to remove does not exist, or a record to add already exists
 */
export function changedRrsets(
  diff: ZoneDiff,
  rrsetBefore: (name: DomainName, type: RrType) => Rrset | undefined,
): Rrset[] {
  const changes = new Map<string, RrsetChange>()
  const changeOf = ({ name, type }: ResourceRecord): RrsetChange => {
    const key = `${type} ${name}`
    let change = changes.get(key)
    if (change === undefined) {
      const before = rrsetBefore(name, type)
      const held = type === RrType.RRSIG && before ? recordsOf(before) : []
      change = { name, type, ttl: before?.ttl ?? 0, before: before?.data ?? [], removed: [], added: [], records: held }
      changes.set(key, change)
    }
    return change
  }
  for (const record of diff.removed) changeOf(record).removed.push(record.data)
  for (const record of diff.added) {
    const change = changeOf(record)
    change.added.push(record.data)
    change.ttl = record.ttl
    if (record.type === RrType.RRSIG) change.records.push(record)
  }
  return Array.from(changes.values(), carriedOut)
}

interface RrsetChange {
  readonly name: DomainName
  readonly type: RrType
  readonly before: readonly RecordData[]
  readonly removed: RecordData[]
  readonly added: RecordData[]
  ttl: number
  /** The previous and the added signatures, each with its TTL. */
  readonly records: ResourceRecord[]
}

function carriedOut({ name, type, ttl, before, removed, added, records }: RrsetChange): Rrset {
  const refuse = (why: string) => new DnsFault('bad_zone', `A ${typeToText(type)} record of ${name} to ${why}.`)
  const kept = missingFrom([...removed].sort(compareData), before)
  if (kept.length !== before.length - removed.length) throw refuse('remove is not there')
  const data = sortedData([...kept, ...added])
  if (data.length < kept.length + added.length) throw refuse('add is already there')
  if (type !== RrType.RRSIG || data.length === 0) return { name, type, ttl, data }
  // A signature that is removed and added gets the TTL of the addition.
  const left = data.flatMap((item) => records.findLast((record) => equalData(record.data, item)) ?? [])
  return { name, type, ...signatures(left) }
}
