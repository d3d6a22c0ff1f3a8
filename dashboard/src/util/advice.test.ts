import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adviceFor } from './advice.ts'

test('what is left to do leads to presets, and what is odd leads to its records', () => {
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

test('what is done, or not about records, has no action', () => {
  assert.equal(adviceFor('mx', 'done'), undefined)
  for (const id of ['verified', 'delegated', 'expiry', 'replicated'] as const)
    assert.equal(adviceFor(id, 'warning'), undefined)
})
