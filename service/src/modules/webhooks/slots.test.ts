import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Slots } from './slots.ts'

test('slow and failing lanes have their own share', () => {
  const slots = new Slots({ healthy: 2, struggling: 1 })
  const release = slots.take(true, () => undefined)
  assert.deepEqual(slots.free(), { healthy: 2, struggling: 0 })
  release()
  assert.deepEqual(slots.free(), { healthy: 2, struggling: 1 })
})

test('a request over a second moves to the share of the slow ones, and frees a healthy slot', async () => {
  const slots = new Slots({ healthy: 1, struggling: 1 })
  let release = (): void => undefined
  await new Promise<void>((resolve) => {
    release = slots.take(false, resolve)
    assert.deepEqual(slots.free(), { healthy: 0, struggling: 1 })
  })
  assert.deepEqual(slots.free(), { healthy: 1, struggling: 0 })
  release()
  assert.deepEqual(slots.free(), { healthy: 1, struggling: 1 })
})
