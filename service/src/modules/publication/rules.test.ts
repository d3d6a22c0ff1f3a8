import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesDiffer, planCatalog } from './rules.ts'

test('the net effect of moves is applied, in their order', () => {
  const move = (zoneName: string, live: boolean, catalogLabel = zoneName) => ({
    zoneId: `id of ${catalogLabel}`,
    zoneName,
    catalogLabel,
    live,
  })
  const member = (zone: string, label = zone) => ({ zone, label, zoneId: `id of ${label}` })
  assert.deepEqual(planCatalog([move('a', true), move('a', false)], []), { removed: [], added: [] })
  assert.deepEqual(planCatalog([move('a', false), move('a', true)], [member('a')]), { removed: [], added: [] })
  assert.deepEqual(planCatalog([move('a', false), move('a', true, 'anew')], [member('a')]), {
    removed: [member('a')],
    added: [member('a', 'anew')],
  })
  // A late removal of the old zone does not remove the new one.
  assert.deepEqual(planCatalog([move('a', false, 'old')], [member('a', 'anew')]), { removed: [], added: [] })
})

test('the order of nameservers matters only for the first, which every SOA names', () => {
  assert.equal(namesDiffer(['a', 'b', 'c'], ['a', 'c', 'b']), false)
  assert.equal(namesDiffer(['a', 'b'], ['b', 'a']), true)
  assert.equal(namesDiffer(['a', 'b'], ['a']), true)
  assert.equal(namesDiffer(['a', 'b'], ['a', 'c']), true)
})
