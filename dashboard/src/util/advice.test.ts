import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adviceFor, startFor } from './advice.ts'
import { checkRrset } from './check-rrset.ts'
import { startOf, startToSearch } from './record-start.ts'

test('an open item leads to presets, and an item with a warning leads to its records', () => {
  assert.deepEqual(adviceFor('mx', 'todo'), {
    label: 'Choose a mail preset',
    leadsTo: 'presets',
    search: { q: 'mail' },
  })
  assert.deepEqual(adviceFor('mx', 'warning'), {
    label: 'Show the MX records',
    leadsTo: 'records',
    search: { type: 'MX' },
  })
})

test('an item that is done, or not about records, has no action', () => {
  assert.equal(adviceFor('mx', 'done'), undefined)
  for (const id of ['verified', 'delegated', 'expiry', 'replicated'] as const)
    assert.equal(adviceFor(id, 'warning'), undefined)
})

test('an open item fills in the form for its record, and the rules accept the record', () => {
  const zone = 'example.com'
  for (const id of ['spf', 'dmarc', 'caa'] as const) {
    const start = startFor(id, 'todo') ?? assert.fail(id)
    const { canonical } = checkRrset(zone, { name: start.name, type: start.type, ttl: 3_600, values: [start.value] })
    assert.deepEqual(canonical?.records, [start.value], id)
    assert.deepEqual(startOf(startToSearch(start)), start)
  }
  assert.equal(startFor('mx', 'warning'), undefined)
  assert.equal(startOf({ add: 'SOA' }), undefined)
  assert.equal(startOf({ add: 'constructor' }), undefined)
})
