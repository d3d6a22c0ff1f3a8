import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { delegationStates } from './delegation.ts'
import { eventGroups, eventTypes, isSubscribable, orderEventData, subscribes, zoneEventData } from './event-types.ts'

test('an endpoint can list every event type and every group, and nothing else', () => {
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

test('every group has types, and every type except ping has a group', () => {
  for (const group of eventGroups)
    assert.ok(
      Object.keys(eventTypes).some((type) => subscribes([group], type)),
      group,
    )
  const without = Object.keys(eventTypes).filter((type) => !subscribes([...eventGroups], type))
  assert.deepEqual(without, ['ping'])
})

test('an endpoint without a list gets every type, including types that are added later', () => {
  for (const type of [...Object.keys(eventTypes), 'zone.renamed', 'invoice.sent'])
    assert.equal(subscribes(null, type), true, type)
})

test('an endpoint gets the types and groups that it lists, including types that are added to a group later', () => {
  assert.equal(subscribes(['order.paid'], 'order.paid'), true)
  assert.equal(subscribes(['order.paid'], 'order.failed'), false)
  assert.equal(subscribes(['zone.created', 'order.*'], 'order.failed'), true)
  assert.equal(subscribes(['order.*'], 'order.disputed'), true)
  assert.equal(subscribes(['order.*'], 'zone.created'), false)
  assert.equal(subscribes(['zone.*'], 'zoned.created'), false)
  assert.equal(subscribes([], 'zone.created'), false)
})

test('the webhooks page lists every type with its sentence and data members, and describes each member', () => {
  const page = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8')
  const named = (cell: string): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
  const told = [...page.matchAll(/^\| `((?:zone|order)\.\w+|ping)` \| (.*?) \| (.*?) \|$/gm)].map(
    ([, type = '', when = '', data = '']) => ({ type, when, data: named(data) }),
  )
  const membersOf = (type: string): string[] => {
    if (type === 'ping') return []
    const shape = type in zoneEventData ? zoneEventData[type as keyof typeof zoneEventData].shape : orderEventData.shape
    return Object.keys(shape)
  }
  assert.deepEqual(
    told,
    Object.entries(eventTypes).map(([type, when]) => ({ type, when, data: membersOf(type) })),
  )
  const [, memberTable = ''] = /^\| member \| value \|\n(.*?)\n\n/ms.exec(page) ?? []
  const explained = memberTable
    .split('\n')
    .slice(1)
    .map((row) => row.split(' | '))
  assert.deepEqual(
    new Set(explained.flatMap(([members = '']) => named(members))),
    new Set(told.flatMap(({ data }) => data)),
  )
  const said = (member: string): string[] =>
    named(explained.find(([members]) => members?.includes(`\`${member}\``))?.[1] ?? '')
  assert.deepEqual(said('state'), [...delegationStates])
  assert.deepEqual(said('changes'), Object.keys(zoneEventData['zone.records_changed'].shape.changes.element.shape))
})
