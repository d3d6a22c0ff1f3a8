import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resolvedWords } from './resolved-words.ts'

const now = '2026-11-20T12:00:00.000Z'

test('an ALIAS is shown with the first of its addresses', () => {
  const words = (a: string[], aaaa: string[] = []) => resolvedWords({ a, aaaa, checked_at: now, error: null })
  assert.deepEqual(words([]), { published: 'Publishes no addresses' })
  assert.deepEqual(words(['93.184.216.34']), { published: 'Publishes 93.184.216.34' })
  assert.deepEqual(words(['93.184.216.34'], ['2606::1']), { published: 'Publishes 93.184.216.34, 2606::1' })
  assert.deepEqual(words(['93.184.216.34', '93.184.216.35'], ['2606::1', '2606::2']), {
    published: 'Publishes 93.184.216.34, 93.184.216.35 and 2 more',
  })
})

test('a target that cannot be resolved is shown with the reason, next to the addresses that remain', () => {
  assert.deepEqual(resolvedWords({ a: ['93.184.216.34'], aaaa: [], checked_at: now, error: 'no_address' }), {
    published: 'Publishes 93.184.216.34',
    problem: 'The target cannot be resolved: it has no A or AAAA record.',
  })
})
