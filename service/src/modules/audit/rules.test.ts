import assert from 'node:assert/strict'
import { test } from 'node:test'
import { referenceOf } from './rules.ts'

const zoneId = '0199a3c2-5b1e-7d40-9c1f-2f6b8a4e7d10'
const none = { reference: null, zoneId: null, domain: null, isOwn: true }

test('an entry refers to the most specific object that it is about', () => {
  assert.deepEqual(referenceOf(none), null)
  assert.deepEqual(referenceOf({ ...none, zoneId }), { kind: 'zone', id: zoneId })
  const version = { version: 3, serial: 7 }
  assert.deepEqual(referenceOf({ ...none, zoneId, reference: version }), { kind: 'version', id: '3' })
  const order = { order: 'ord_1', status: 'placed' }
  assert.deepEqual(referenceOf({ ...none, domain: 'shop.test', reference: order }), { kind: 'order', id: 'ord_1' })
  assert.deepEqual(referenceOf({ ...none, domain: 'shop.test' }), { kind: 'domain', id: 'shop.test' })
  assert.deepEqual(referenceOf({ ...none, reference: { key: 'key_1' } }), { kind: 'key', id: 'key_1' })
  const delivery = { endpoint: 'whe_1', delivery: 'del_1' }
  assert.deepEqual(referenceOf({ ...none, reference: delivery }), { kind: 'endpoint', id: 'whe_1' })
})

test('an entry about limits, credit or the version of an empty zone refers to no object', () => {
  for (const reference of [
    { zones: 5 },
    { amount_kobo: 100 },
    { before: 1, after: null },
    { key: null },
    { version: 3 },
  ])
    assert.equal(referenceOf({ ...none, reference }), null, JSON.stringify(reference))
  assert.deepEqual(referenceOf({ ...none, zoneId, reference: { version: 0 } }), { kind: 'zone', id: zoneId })
})

test('for a manager of a zone, an entry refers only to the zone and its versions', () => {
  const theirs = { ...none, isOwn: false, domain: 'shop.test' }
  for (const reference of [null, { key: 'key_1' }, { order: 'ord_1' }, { endpoint: 'whe_1' }]) {
    assert.equal(referenceOf({ ...theirs, reference }), null)
    assert.deepEqual(referenceOf({ ...theirs, zoneId, reference }), { kind: 'zone', id: zoneId })
  }
  assert.deepEqual(referenceOf({ ...theirs, zoneId, reference: { version: 3 } }), { kind: 'version', id: '3' })
})
