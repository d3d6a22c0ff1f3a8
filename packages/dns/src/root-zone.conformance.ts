import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import {
  axfrAnswers,
  axfrQuery,
  buildMessage,
  compareNames,
  type DomainName,
  diffRrsets,
  groupRecords,
  lookup,
  namesIn,
  parseMessage,
  parseName,
  parseZoneFile,
  RrType,
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

test('the signed root zone stays the same when it is read, written and read again', () => {
  const before = rootZone()
  const again = parseZoneFile(writeZoneFile(rootName, before), { origin: rootName })
  assert.deepEqual(again.faults, [])
  assert.deepEqual(groupRecords(again.records), before)
})

test('the signed root zone survives a transfer in messages that compression pointers can reach', () => {
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

test('the names of the signed root zone are in the order of its NSEC records', () => {
  const zone = Zone.fromRrsets(rootName, rootZone())
  const isSigned = (name: DomainName) => zone.rrset(name, RrType.NSEC) !== undefined
  const signed = [...zone.names].filter(isSigned)
  assert.ok(signed.length > 1000)
  for (const [index, name] of signed.entries()) {
    const [next] = namesIn(RrType.NSEC, zone.rrset(name, RrType.NSEC)?.data[0] ?? new Uint8Array(0))
    assert.equal(next, signed[index + 1] ?? rootName)
  }
})

test('the signed root zone has a proof that a missing name does not exist', () => {
  const zone = Zone.fromRrsets(rootName, rootZone())
  const missing = parseName('www.example.invalid.')
  assert.equal(lookup(zone, missing, RrType.A).kind, 'nxdomain')
  let proof = zone.names.before(missing) ?? rootName
  while (zone.rrset(proof, RrType.NSEC) === undefined) proof = zone.names.before(proof) ?? rootName
  const [next = rootName] = namesIn(RrType.NSEC, zone.rrset(proof, RrType.NSEC)?.data[0] ?? new Uint8Array(0))
  assert.ok(compareNames(proof, missing) < 0 && compareNames(missing, next) < 0, `${proof} to ${next}`)
})
