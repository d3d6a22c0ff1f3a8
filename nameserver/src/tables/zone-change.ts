import {
  compareData,
  DnsFault,
  type DomainName,
  equalData,
  isWithin,
  nameToWire,
  type RecordData,
  type ResourceRecord,
  type Rrset,
  RrType,
  recordsOf,
  signatures,
  typeToText,
  type ZoneDiff,
} from '@zonewright/dns'
import { canonicalData, type Owner, type OwnerRrset } from './owners.ts'
import { compareWireNames } from './wire-name.ts'

interface RrsetChange {
  readonly removed: RecordData[]
  readonly added: RecordData[]
  /** The TTL of added records replaces the previous one. */
  ttl: number | undefined
  /** For RRSIG: the added records, each with its TTL. */
  readonly signatures: Pick<ResourceRecord, 'ttl' | 'data'>[] | undefined
}

/**
 * The names that a difference changes, with all their rrsets after the change, in canonical order. `rrsetsAt` returns the current rrsets.
 *
 * @throws DnsFault `bad_zone` if a record to remove does not exist, or a record to add already exists; `out_of_zone`
 */
export function changedOwners(
  origin: DomainName,
  { removed, added }: ZoneDiff,
  rrsetsAt: (name: DomainName) => readonly Rrset[],
): Owner[] {
  const byName = new Map<DomainName, Map<number, RrsetChange>>()
  for (const { name, type, data } of removed) changeOf(byName, name, type).removed.push(data)
  for (const { name, type, data, ttl } of added) {
    const change = changeOf(byName, name, type)
    change.added.push(data)
    change.ttl = ttl
    change.signatures?.push({ ttl, data })
  }
  const owners = Array.from(byName, ([name, changes]) => {
    if (!isWithin(name, origin)) throw new DnsFault('out_of_zone', `${name} is not within ${origin}`)
    return { name: nameToWire(name), rrsets: changedRrsets(name, rrsetsAt(name), changes) }
  })
  return owners.sort((a, b) => compareWireNames(a.name, 0, b.name, 0))
}

function changeOf(byName: Map<DomainName, Map<number, RrsetChange>>, name: DomainName, type: number): RrsetChange {
  const changes = byName.get(name) ?? new Map<number, RrsetChange>()
  if (changes.size === 0) byName.set(name, changes)
  const signatures = type === RrType.RRSIG ? [] : undefined
  const change = changes.get(type) ?? { removed: [], added: [], ttl: undefined, signatures }
  changes.set(type, change)
  return change
}

function changedRrsets(name: DomainName, before: readonly Rrset[], changes: Map<number, RrsetChange>): OwnerRrset[] {
  const after: OwnerRrset[] = before.filter(({ type }) => !changes.has(type))
  for (const [type, change] of changes) {
    const held = before.find((rrset) => rrset.type === type)
    const data = changedData({ name, type: type as Rrset['type'] }, held?.data ?? [], change)
    const ttl = change.ttl ?? held?.ttl ?? 0
    if (data.length > 0)
      after.push(type === RrType.RRSIG ? signed(data, held, change) : { type: type as Rrset['type'], ttl, data })
  }
  return after.sort((a, b) => a.type - b.type)
}

/** Signatures keep their TTLs. A signature that is removed and added gets the TTL of the addition. */
function signed(
  data: readonly RecordData[],
  held: Rrset | undefined,
  { signatures: added = [] }: RrsetChange,
): OwnerRrset {
  const records = [...(held ? recordsOf(held) : []), ...added]
  const left = data.flatMap((item) => records.findLast((record) => equalData(record.data, item)) ?? [])
  return { type: RrType.RRSIG, ...signatures(left) }
}

function changedData(
  { name, type }: Pick<ResourceRecord, 'name' | 'type'>,
  held: readonly RecordData[],
  { removed, added }: RrsetChange,
): readonly RecordData[] {
  const refuse = (why: string) => new DnsFault('bad_zone', `A ${typeToText(type)} record of ${name} to ${why}.`)
  const leaving = [...removed].sort(compareData)
  const kept = held.filter((data) => {
    const isLeaving = leaving[0] !== undefined && equalData(leaving[0], data)
    if (isLeaving) leaving.shift()
    return !isLeaving
  })
  if (leaving.length > 0) throw refuse('remove is not there')
  const data = canonicalData([...kept, ...added])
  if (data.length < kept.length + added.length) throw refuse('add is already there')
  return data
}
