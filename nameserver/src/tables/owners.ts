import { compareData, type DomainName, nameToWire, type RecordData, type Rrset } from '@zonewright/dns'
import { compareWireNames } from './wire-name.ts'

/** One owner name with its rrsets, as the tables expect it: the name in wire form, rrsets by type, data in canonical order. */
export interface Owner {
  readonly name: Uint8Array
  readonly rrsets: readonly OwnerRrset[]
}

export type OwnerRrset = Pick<Rrset, 'type' | 'ttl' | 'data' | 'ttls'>

/**
 * Groups rrsets in any order by name, in canonical order. Leaves out those without data.
 *
 * @throws Error if an rrset appears twice
 */
export function ownersOf(rrsets: Iterable<Rrset>): Owner[] {
  const byName = new Map<DomainName, { readonly name: Uint8Array; readonly rrsets: OwnerRrset[] }>()
  let isSorted = true
  let last: Uint8Array | undefined
  for (const { name, type, ttl, data, ttls } of rrsets) {
    if (data.length === 0) continue
    let owner = byName.get(name)
    if (owner === undefined) {
      owner = { name: nameToWire(name), rrsets: [] }
      byName.set(name, owner)
      if (last !== undefined && compareWireNames(last, 0, owner.name, 0) > 0) isSorted = false
      last = owner.name
    }
    const canonical = canonicalData(data)
    addByType(owner.rrsets, ttls ? { type, ttl, data: canonical, ttls } : { type, ttl, data: canonical }, name)
  }
  const owners = [...byName.values()]
  return isSorted ? owners : owners.sort((a, b) => compareWireNames(a.name, 0, b.name, 0))
}

/** The data in canonical order and without duplicates (RFC 2181 §5). Returns `data` itself if it already is. */
export function canonicalData(data: readonly RecordData[]): readonly RecordData[] {
  const isCanonical = data.every((item, index) => index === 0 || compareData(data[index - 1] ?? item, item) < 0)
  if (isCanonical) return data
  const sorted = [...data].sort(compareData)
  return sorted.filter((item, index) => index === 0 || compareData(sorted[index - 1] ?? item, item) !== 0)
}

function addByType(rrsets: OwnerRrset[], rrset: OwnerRrset, name: DomainName): void {
  let index = rrsets.length
  while (index > 0 && (rrsets[index - 1]?.type ?? 0) > rrset.type) index--
  if (rrsets[index - 1]?.type === rrset.type) throw new Error(`type ${rrset.type} of ${name} comes twice`)
  rrsets.splice(index, 0, rrset)
}
