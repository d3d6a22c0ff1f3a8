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
import { cpuMs } from '../testing/cpu-ms.ts'
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
  const small = Math.min(...[1, 2, 3].map(() => followMs(5_000)))
  const large = followMs(20_000)
  // Four times as many. Comparing each with each takes sixteen times as long: some 30 s.
  assert.ok(large < 9 * small, `${large.toFixed()} ms for four times what takes ${small.toFixed()} ms`)
})

/** What the processor needs to follow a difference in which so many zones go and as many come. */
function followMs(count: number): number {
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
  const { result, tookMs } = cpuMs(() => members.follow(after, diff))
  assert.deepEqual([result.removed.length, result.added.length], [count, count])
  return tookMs
}
