import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import {
  axfrAnswers,
  axfrQuery,
  buildMessage,
  diffRrsets,
  groupRecords,
  parseMessage,
  parseZoneFile,
  rootName,
  TransferReader,
  transferMessages,
  writeZoneFile,
  Zone,
} from './index.ts'

const file = resolve(import.meta.dirname, '../../../../shared/data/zones/root.zone')

function rootZone() {
  assert.ok(existsSync(file), `The test data is missing: ${file}`)
  const { records, faults } = parseZoneFile(readFileSync(file, 'utf8'), { origin: rootName })
  assert.deepEqual(faults, [])
  return groupRecords(records)
}

test('the signed root zone reads, writes and reads again as the same zone', () => {
  const before = rootZone()
  const again = parseZoneFile(writeZoneFile(rootName, before), { origin: rootName })
  assert.deepEqual(again.faults, [])
  assert.deepEqual(groupRecords(again.records), before)
})

test('the signed root zone survives a transfer, in messages within the reach of compression', () => {
  const zone = Zone.fromRrsets(rootName, rootZone())
  const query = axfrQuery(7, rootName)
  const reader = new TransferReader(rootName, 'axfr')
  let outcome: ReturnType<TransferReader['feed']>
  for (const wire of transferMessages(query, buildMessage(query), axfrAnswers(zone.rrsets()))) {
    assert.ok(wire.length <= 16384)
    outcome = reader.feed(parseMessage(wire))
  }
  assert.equal(outcome?.kind, 'full')
  const diff = diffRrsets(zone.rrsets(), outcome?.kind === 'full' ? outcome.rrsets : [])
  assert.deepEqual(diff, { removed: [], added: [] })
})
