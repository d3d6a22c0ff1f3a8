import { missingFrom, sortedData } from './data-set.ts'
import type { ZoneDiff } from './diff.ts'
import { DnsFault } from './faults.ts'
import type { DomainName } from './name.ts'
import { compareData, type RecordData } from './rdata-wire.ts'
import type { ResourceRecord, Rrset } from './rrset.ts'
import { type RrType, typeToText } from './type.ts'

/**
 * The rrsets that a difference touches, as they are after it; one that goes away is without data. A TTL that is added wins
 * over that of the records already there.
 *
 * @throws DnsFault `bad_zone` when a record to remove is not there, or one to add already is
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
      change = { name, type, ttl: before?.ttl ?? 0, before: before?.data ?? [], removed: [], added: [] }
      changes.set(key, change)
    }
    return change
  }
  for (const record of diff.removed) changeOf(record).removed.push(record.data)
  for (const record of diff.added) {
    const change = changeOf(record)
    change.added.push(record.data)
    change.ttl = record.ttl
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
}

function carriedOut({ name, type, ttl, before, removed, added }: RrsetChange): Rrset {
  const refuse = (why: string) => new DnsFault('bad_zone', `A ${typeToText(type)} record of ${name} to ${why}.`)
  const kept = missingFrom([...removed].sort(compareData), before)
  if (kept.length !== before.length - removed.length) throw refuse('remove is not there')
  const data = sortedData([...kept, ...added])
  if (data.length < kept.length + added.length) throw refuse('add is already there')
  return { name, type, ttl, data }
}
