import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setupOf, stepShown } from './setup-steps.ts'

const zone = { state: 'live', origin: 'verified', version: 0, delegation: { state: 'waiting' } } as const

test('a zone is verified, then its records are reviewed, then its nameservers are set', () => {
  assert.equal(setupOf({ ...zone, state: 'pending' })?.next, 'verify')
  assert.equal(setupOf(zone)?.next, 'records')
  assert.equal(setupOf({ ...zone, version: 3 })?.next, 'nameservers')
  assert.equal(setupOf({ ...zone, version: 3, delegation: { state: 'live' } }), undefined)
  assert.deepEqual(
    setupOf(zone)?.steps.map(({ isDone }) => isDone),
    [true, false, false, false],
  )
})

test('a zone whose domain points here only partly, or no longer, still needs its nameservers set', () => {
  for (const state of ['partial', 'lost', 'missing'] as const)
    assert.equal(setupOf({ ...zone, delegation: { state } })?.next, 'nameservers')
})

test('a zone that the service itself delegates has no steps', () => {
  assert.equal(setupOf({ ...zone, origin: 'claimed' }), undefined)
  assert.equal(setupOf({ ...zone, origin: 'bought' }), undefined)
  assert.equal(setupOf({ ...zone, origin: 'bought', delegation: { state: 'lost' } })?.next, 'nameservers')
})

test('the URL chooses a step only after the verification', () => {
  assert.equal(stepShown('nameservers', 'verify'), 'verify')
  assert.equal(stepShown('nameservers', 'records'), 'nameservers')
  assert.equal(stepShown('verify', 'records'), 'records')
  assert.equal(stepShown(undefined, 'nameservers'), 'nameservers')
})
