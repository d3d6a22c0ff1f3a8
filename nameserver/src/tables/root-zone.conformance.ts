import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { groupRecords, parseMessage, parseZoneFile, RrType, rootName } from '@zonewright/dns'
import { createAnswer } from '../responder/answer.ts'
import { queryFor } from '../testing/ask.ts'
import { keptLog } from '../testing/kept-log.ts'
import { Tables } from './tables.ts'

test('the signed root zone is held without loss, and the records that signing added are served on request', () => {
  const file = resolve(import.meta.dirname, '../../../../shared/data/zones/root.zone')
  assert.ok(existsSync(file), `The test data is missing: ${file}`)
  const { records, faults } = parseZoneFile(readFileSync(file, 'utf8'), { origin: rootName })
  assert.deepEqual(faults, [])
  const rrsets = groupRecords(records)
  const tables = new Tables()
  tables.publish(rootName, rrsets)
  const held = [...(tables.zone(rootName)?.rrsets() ?? [])]
  assert.equal(held.length, rrsets.length)
  for (const rrset of rrsets) {
    const same = tables.zone(rootName)?.rrset(rrset.name, rrset.type)
    assert.deepEqual({ ...same, data: same?.data.map(hex) }, { ...rrset, data: rrset.data.map(hex) })
  }
  const answer = createAnswer({ segments: tables.segments, log: keptLog(), doors: { udp: 1, tcp: 2 } })
  const wire = answer(queryFor('.', 'NSEC'), 'tcp', new DataView(new ArrayBuffer(4)))
  assert.ok(wire)
  assert.deepEqual(
    parseMessage(wire).answers.map(({ type }) => type),
    [RrType.NSEC],
  )
})

function hex(data: Uint8Array): string {
  return Buffer.from(data).toString('hex')
}
