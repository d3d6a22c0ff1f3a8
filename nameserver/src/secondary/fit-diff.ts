import { equalData, type ResourceRecord, RrType, type Serial, type ZoneDiff } from '@zonewright/dns'
import type { TableZone } from '../tables/table-zone.ts'

/** One version to the next, as IXFR tells it (RFC 1995 §4). */
export interface DiffStep {
  readonly from: Serial
  readonly to: Serial
  readonly removed: readonly ResourceRecord[]
  readonly added: readonly ResourceRecord[]
}

/** What of a zone a difference has to fit. */
export type FittedZone = Pick<TableZone, 'serial' | 'rrset'>

interface Fate {
  readonly before: ResourceRecord | undefined
  after: ResourceRecord | undefined
}

/**
 * The steps as one change of `zone`, or the reason why they do not fit it: a step that does not start where the last one
 * ended, removes what is not there, or adds what is there. Nothing is changed yet.
 */
export function fitDiff(zone: FittedZone, steps: readonly DiffStep[]): ZoneDiff | string {
  const fates = new Map<string, Fate>()
  const fateOf = (record: ResourceRecord): Fate => {
    const key = `${record.type} ${Buffer.from(record.data).toString('hex')} ${record.name}`
    const known = fates.get(key)
    if (known) return known
    const before = recordIn(zone, record)
    const fate = { before, after: before }
    fates.set(key, fate)
    return fate
  }
  let serial = zone.serial
  for (const step of steps) {
    if (step.from !== serial) return `a step starts at ${step.from} where ${serial} is held`
    for (const record of step.removed) {
      const fate = fateOf(record)
      if (!fate.after) return `a step removes a record of ${record.name} that is not there`
      fate.after = undefined
    }
    for (const record of step.added) {
      const fate = fateOf(record)
      if (fate.after) return `a step adds a record of ${record.name} that is there`
      fate.after = record
    }
    serial = step.to
  }
  const diff = netOf(fates.values())
  const isSoaReplaced = soaCount(diff.removed) === 1 && soaCount(diff.added) === 1
  return isSoaReplaced ? diff : 'the steps do not replace the SOA'
}

function soaCount(records: readonly ResourceRecord[]): number {
  return records.filter((record) => record.type === RrType.SOA).length
}

function recordIn(zone: FittedZone, { name, type, data }: ResourceRecord): ResourceRecord | undefined {
  const rrset = zone.rrset(name, type)
  return rrset?.data.some((held) => equalData(held, data)) ? { name, type, ttl: rrset.ttl, data } : undefined
}

/** What is left once removals and additions of the same record have cancelled out. */
function netOf(fates: Iterable<Fate>): ZoneDiff {
  const removed: ResourceRecord[] = []
  const added: ResourceRecord[] = []
  for (const { before, after } of fates) {
    if (before?.ttl === after?.ttl) continue
    if (before) removed.push(before)
    if (after) added.push(after)
  }
  return { removed, added }
}
