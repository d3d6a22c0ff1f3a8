import { type IxfrStep, type ResourceRecord, RrType, recordsOf, soaToRdata } from '@zonewright/dns'
import { type StoredRrset, toWireRrset } from '#modules/records/index.ts'
import { absolute, apexTtl, nextSerial, soaOf } from '#modules/zones/index.ts'
import type { JournalStep } from './rules.ts'

/** A step of a zone's journal. It has the apex NS rrset only if the zone's nameservers changed. */
export type ZoneStep = JournalStep<StoredRrset>

/** The SOA record of a zone with these nameservers and this serial. */
export function zoneSoa(name: string, serial: number, nameservers: readonly string[]): ResourceRecord {
  const soa = soaToRdata(soaOf({ name, serial }, nameservers))
  return { name: absolute(name), type: RrType.SOA, ttl: apexTtl, data: soa }
}

/** The step that changes a zone's nameservers. Both sides are complete, because the order of the names matters. */
export function apexStep(
  zone: { readonly name: string; readonly serial: number; readonly serialClock: number },
  from: readonly string[],
  to: readonly string[],
): ZoneStep {
  const entry = (hosts: readonly string[]): StoredRrset => ({
    name: zone.name,
    type: 'NS',
    ttl: apexTtl,
    records: hosts.map((host) => `${host}.`),
  })
  const serial = nextSerial(zone.serial, zone.serialClock)
  return { from: zone.serial, to: serial, removed: [entry(from)], added: [entry(to)] }
}

/**
 * Combines the steps of a journal into at most one (RFC 1995 §5): each rrset as it was before the first step, and as it
 * is after the last. In a busy zone, this halves the records that are sent and applied.
 */
export function condense(journal: readonly ZoneStep[]): readonly ZoneStep[] {
  const [first, last] = [journal[0], journal.at(-1)]
  if (first === undefined || last === undefined || first === last) return journal
  const before = new Map<string, StoredRrset | undefined>()
  const after = new Map<string, StoredRrset | undefined>()
  for (const { removed, added } of journal) {
    const [gone, come] = [byKey(removed), byKey(added)]
    for (const key of [...gone.keys(), ...come.keys()]) {
      if (!before.has(key)) before.set(key, gone.get(key))
      after.set(key, come.get(key))
    }
  }
  const moved = [...before.keys()].filter((key) => !isSame(before.get(key), after.get(key)))
  const side = (rrsets: typeof before) => moved.flatMap((key) => rrsets.get(key) ?? [])
  return [{ from: first.from, to: last.to, removed: side(before), added: side(after) }]
}

/**
 * A step as an IXFR sends it: records on both sides are left out. Each SOA names the first nameserver that the zone
 * had at its serial.
 *
 * @param nameservers those of the zone after the step
 */
export function ixfrStep(
  name: string,
  { from, to, removed, added }: ZoneStep,
  nameservers: readonly string[],
): IxfrStep {
  return {
    oldSoa: zoneSoa(name, from, hostsIn(name, removed) ?? nameservers),
    removed: recordsBeside(added, removed),
    newSoa: zoneSoa(name, to, nameservers),
    added: recordsBeside(removed, added),
  }
}

/** The nameservers in one side of a step, if any. */
function hostsIn(name: string, rrsets: readonly StoredRrset[]): string[] | undefined {
  const apex = rrsets.find((rrset) => rrset.type === 'NS' && rrset.name === name)
  return apex?.records.map((record) => record.slice(0, -1))
}

/** Largest number of records of one side of a step that are prepared once for all requesters. Those of a larger side are prepared as they are sent. */
const mostKept = 2_000

/** The records of `rrsets` that are not also in `others` with the same TTL. */
function recordsBeside(others: readonly StoredRrset[], rrsets: readonly StoredRrset[]): Iterable<ResourceRecord> {
  const make = (): Generator<ResourceRecord> => makeRecordsBeside(others, rrsets)
  const count = rrsets.reduce((sum, { records }) => sum + records.length, 0)
  return count > mostKept ? { [Symbol.iterator]: make } : [...make()]
}

function* makeRecordsBeside(others: readonly StoredRrset[], rrsets: readonly StoredRrset[]): Generator<ResourceRecord> {
  const known = byKey(others)
  for (const rrset of rrsets) {
    const other = known.get(keyOf(rrset))
    const stays = new Set(other?.ttl === rrset.ttl ? other.records : [])
    const records = rrset.records.filter((record) => !stays.has(record))
    if (records.length > 0) yield* recordsOf(toWireRrset({ ...rrset, records }))
  }
}

function byKey(rrsets: readonly StoredRrset[]): Map<string, StoredRrset> {
  return new Map(rrsets.map((rrset) => [keyOf(rrset), rrset]))
}

function keyOf({ name, type }: StoredRrset): string {
  return `${type} ${name}`
}

function isSame(one: StoredRrset | undefined, other: StoredRrset | undefined): boolean {
  return (
    one?.ttl === other?.ttl &&
    one?.records.length === other?.records.length &&
    (one?.records ?? []).every((record, i) => record === other?.records[i])
  )
}
