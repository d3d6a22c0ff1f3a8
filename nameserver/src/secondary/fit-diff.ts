import { type ResourceRecord, RrType, recordInWords, recordsOf, type Serial, type ZoneDiff } from '@zonewright/dns'
import type { TableZone } from '../tables/table-zone.ts'

/** The difference between one version and the next, as in IXFR (RFC 1995 §4). */
export interface DiffStep {
  readonly from: Serial
  readonly to: Serial
  readonly removed: readonly ResourceRecord[]
  readonly added: readonly ResourceRecord[]
}

/** The parts of a zone that a difference has to match. */
export type FittedZone = Pick<TableZone, 'serial' | 'rrset'>

/** What happens to one record, which the zone holds or which a step mentions. */
interface Fate {
  readonly before: ResourceRecord | undefined
  after: ResourceRecord | undefined
}

/**
 * The steps as one change of `zone`, or the reason why they do not fit it: a step that does not start where the last one
 * ended, removes a record that does not exist, or adds one that does. Nothing is changed yet.
 */
export function fitDiff(zone: FittedZone, steps: readonly DiffStep[]): ZoneDiff | string {
  const fates = new Fates(zone)
  let serial = zone.serial
  for (const step of steps) {
    if (step.from !== serial) return `a step starts at ${step.from} where ${serial} is held`
    for (const record of step.removed) {
      const fate = fates.of(record)
      if (!fate.after) return `a step removes ${recordInWords(record)}, which is not there`
      fate.after = undefined
    }
    for (const record of step.added) {
      const fate = fates.of(record)
      if (fate.after) return `a step adds ${recordInWords(record)}, which is there`
      fate.after = record
    }
    serial = step.to
  }
  const diff = netOf(fates.all())
  const isSoaReplaced = soaCount(diff.removed) === 1 && soaCount(diff.added) === 1
  return isSoaReplaced ? diff : 'the steps do not replace the SOA'
}

function soaCount(records: readonly ResourceRecord[]): number {
  return records.filter((record) => record.type === RrType.SOA).length
}

/** Each rrset that the steps mention is read once, however many of its records are added and removed. */
class Fates {
  readonly #zone: FittedZone
  /** By type and name, then by data. */
  readonly #rrsets = new Map<string, Map<string, Fate>>()

  constructor(zone: FittedZone) {
    this.#zone = zone
  }

  of(record: ResourceRecord): Fate {
    const records = this.#recordsBeside(record)
    const key = keyOf(record)
    const fate = records.get(key) ?? { before: undefined, after: undefined }
    records.set(key, fate)
    return fate
  }

  *all(): Generator<Fate> {
    for (const records of this.#rrsets.values()) yield* records.values()
  }

  #recordsBeside({ name, type }: ResourceRecord): Map<string, Fate> {
    const key = `${type} ${name}`
    const known = this.#rrsets.get(key)
    if (known) return known
    const rrset = this.#zone.rrset(name, type)
    const held = rrset ? recordsOf(rrset) : []
    const records = new Map(held.map((before) => [keyOf(before), { before, after: before }]))
    this.#rrsets.set(key, records)
    return records
  }
}

function keyOf({ data }: ResourceRecord): string {
  return Buffer.from(data).toString('hex')
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
