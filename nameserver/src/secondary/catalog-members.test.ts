import assert from 'node:assert/strict'
import { it } from 'node:test'
import {
  type CatalogMember,
  catalogMemberRecord,
  catalogRrsets,
  parseName,
  soaFromRdata,
  toSerial,
} from '@zonewright/dns'
import { Tables } from '../tables/tables.ts'
import { zoneOf } from '../testing/zone-of.ts'
import { CatalogMembers } from './catalog-members.ts'

const origin = parseName('catalog.test.')
const [soaRrset] = zoneOf(origin, 1, []).rrsets()
const soa = soaFromRdata(soaRrset?.data[0] ?? new Uint8Array())

function catalogOf(members: readonly CatalogMember[], serial: number) {
  const tables = new Tables()
  tables.publish(origin, catalogRrsets(origin, { ...soa, serial: toSerial(serial) }, members))
  const zone = tables.zone(origin)
  assert.ok(zone)
  return zone
}

function membersNamed(prefix: string, count: number): CatalogMember[] {
  return Array.from({ length: count }, (_, i) => ({ label: `${prefix}${i}`, zone: parseName(`${prefix}${i}.test.`) }))
}

it('a large difference costs in proportion: as many zones come as go, and those with another TTL alone stay', () => {
  const count = 20_000
  const [stay] = membersNamed('stays', 1)
  assert.ok(stay)
  const [gone, come] = [membersNamed('gone', count), membersNamed('come', count)]
  const inForce = new Map([stay, ...gone].map((member) => [member.zone, member]))
  const members = new CatalogMembers({ labelOf: (zone) => inForce.get(zone)?.label, all: () => inForce.values() })
  assert.deepEqual(members.follow(catalogOf([stay, ...gone], 1)), { removed: [], added: [] })

  const record = (member: CatalogMember) => catalogMemberRecord(origin, member)
  const diff = {
    removed: [{ ...record(stay), ttl: 1 }, ...gone.map(record)],
    added: [record(stay), ...come.map(record)],
  }
  const after = catalogOf([stay, ...come], 2)
  const beganMs = performance.now()
  const { removed, added } = members.follow(after, diff)
  const tookMs = performance.now() - beganMs
  assert.deepEqual([removed.length, added.length], [count, count])
  // Comparing each with each other takes some 30 s.
  assert.ok(tookMs < 2_000, `${tookMs.toFixed()} ms`)
})
