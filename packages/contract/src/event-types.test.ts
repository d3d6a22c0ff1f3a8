import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventGroups, eventTypes, isSubscribable, subscribes } from './event-types.ts'

test('an endpoint may name each event type and each group, and nothing else', () => {
  for (const text of [...Object.keys(eventTypes), ...eventGroups]) assert.equal(isSubscribable(text), true, text)
  for (const text of [
    '',
    '*',
    'zone',
    'zone.',
    '.*',
    'zone.*.x',
    'ZONE.CREATED',
    ' zone.created',
    'order.unknown',
    'ping.*',
    'toString',
    'constructor',
    '__proto__',
  ])
    assert.equal(isSubscribable(text), false, text)
})

test('every group has types, and every type but ping a group', () => {
  for (const group of eventGroups)
    assert.ok(
      Object.keys(eventTypes).some((type) => subscribes([group], type)),
      group,
    )
  const without = Object.keys(eventTypes).filter((type) => !subscribes([...eventGroups], type))
  assert.deepEqual(without, ['ping'])
})

test('an endpoint without a list gets everything, later types too', () => {
  for (const type of [...Object.keys(eventTypes), 'zone.renamed', 'invoice.sent'])
    assert.equal(subscribes(null, type), true, type)
})

test('an endpoint gets the types and groups that it names, and a group’s later types too', () => {
  assert.equal(subscribes(['order.paid'], 'order.paid'), true)
  assert.equal(subscribes(['order.paid'], 'order.failed'), false)
  assert.equal(subscribes(['zone.created', 'order.*'], 'order.failed'), true)
  assert.equal(subscribes(['order.*'], 'order.disputed'), true)
  assert.equal(subscribes(['order.*'], 'zone.created'), false)
  assert.equal(subscribes(['zone.*'], 'zoned.created'), false)
  assert.equal(subscribes([], 'zone.created'), false)
})
