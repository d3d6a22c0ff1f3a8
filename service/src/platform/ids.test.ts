import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayOf, newId } from './ids.ts'

test('an id is its prefix and 32 hex digits, and no two are the same', () => {
  const ids = Array.from({ length: 1_000 }, () => newId('evt'))
  for (const id of ids) assert.match(id, /^evt_[0-9a-f]{32}$/)
  assert.equal(new Set(ids).size, 1_000)
})

test('ids made later sort later', () => {
  const times = [0, 1, 255, 4_096, Date.UTC(2026, 0, 1), Date.UTC(2026, 10, 20), Date.UTC(9_999, 11, 31)]
  const ids = times.map((at) => newId('dlv', at))
  assert.deepEqual(ids.toSorted(), ids)
})

test('an id contains the UTC day on which it was made', () => {
  assert.equal(dayOf('evt', newId('evt', Date.UTC(2026, 10, 20, 23, 59, 59, 999))), '2026-11-20')
  assert.equal(dayOf('evt', newId('evt', Date.UTC(2026, 10, 21))), '2026-11-21')
})

test('a text that is not an id of the kind has no day', () => {
  const id = newId('evt')
  for (const text of [
    '',
    'evt_',
    id.slice(0, -1),
    `${id}0`,
    id.toUpperCase(),
    newId('dlv'),
    `evt_${'g'.repeat(32)}`,
    ` ${id}`,
    `evt_${'f'.repeat(32)}`,
  ])
    assert.equal(dayOf('evt', text), undefined, text)
})
