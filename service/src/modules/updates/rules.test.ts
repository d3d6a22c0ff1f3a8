import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateKinds } from '@zonewright/contract'
import { type Change, hintsOf, maxWaitingIds, WaitingHints } from './rules.ts'

const change = (action: string, about: Partial<Change> = {}): Change => ({
  account: 'a',
  action,
  zone: null,
  domain: null,
  subject: null,
  ...about,
})

test('a hint contains the kind and the id of the changed object', () => {
  const zone = { zone: 'z' }
  assert.deepEqual(hintsOf(change('records.changed', zone)), [{ kind: 'records', id: 'z' }])
  for (const action of ['zone.deleted', 'zone.delegation_changed', 'manager.accepted'])
    assert.deepEqual(hintsOf(change(action, zone)), [{ kind: 'zones', id: 'z' }], action)
  for (const action of ['domain.locked', 'manager.removed'])
    assert.deepEqual(hintsOf(change(action, { domain: 'a.test' })), [{ kind: 'domains', id: 'a.test' }], action)
  assert.deepEqual(hintsOf(change('order.paid', { domain: 'a.test', subject: 'ord_1' })), [
    { kind: 'orders', id: 'ord_1' },
    { kind: 'domains', id: 'a.test' },
  ])
  assert.deepEqual(hintsOf(change('key.revoked', { subject: 'key_1' })), [{ kind: 'keys', id: 'key_1' }])
  assert.deepEqual(hintsOf(change('delivery.moved', { subject: 'whe_1' })), [{ kind: 'deliveries', id: 'whe_1' }])
})

test('a change that no list shows has no hint; too many changes become one hint for each kind', () => {
  assert.deepEqual(hintsOf(change('session.created')), [])
  assert.deepEqual(
    hintsOf(change('everything')),
    updateKinds.map((kind) => ({ kind, id: null })),
  )
})

test('keeps each waiting hint once, and replaces too many of a kind by one for the whole kind', () => {
  const waiting = new WaitingHints()
  for (let i = 0; i < 3; i++) waiting.add({ kind: 'zones', id: 'z' })
  for (let i = 0; i < maxWaitingIds; i++) waiting.add({ kind: 'keys', id: `key_${i}` })
  assert.equal(waiting.take().length, 1 + maxWaitingIds)
  assert.ok(waiting.isEmpty)
  for (let i = 0; i < 10 * maxWaitingIds; i++) waiting.add({ kind: 'keys', id: `key_${i}` })
  waiting.add({ kind: 'orders', id: null })
  waiting.add({ kind: 'orders', id: 'ord_1' })
  assert.deepEqual(waiting.take(), [
    { kind: 'keys', id: null },
    { kind: 'orders', id: null },
  ])
})
