import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { delegationStates } from './delegation.ts'
import { eventGroups, eventTypes, isSubscribable, orderEventData, subscribes, zoneEventData } from './event-types.ts'

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

test('the page for receivers has every type with its sentence and the members of its data, and says what each member is', () => {
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
