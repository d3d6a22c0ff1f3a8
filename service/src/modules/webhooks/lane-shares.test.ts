import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LaneShares } from './lane-shares.ts'

test('slow and failing lanes have their own share', () => {
  const laneShares = new LaneShares({ healthy: 2, struggling: 1 })
  const release = laneShares.take(true, () => undefined)
  assert.deepEqual(laneShares.free(), { healthy: 2, struggling: 0 })
  release()
  assert.deepEqual(laneShares.free(), { healthy: 2, struggling: 1 })
})

test('a request that takes over a second moves to the slow share and frees a healthy slot', async () => {
  const laneShares = new LaneShares({ healthy: 1, struggling: 1 })
  let release = (): void => undefined
  await new Promise<void>((resolve) => {
    release = laneShares.take(false, resolve)
    assert.deepEqual(laneShares.free(), { healthy: 0, struggling: 1 })
  })
  assert.deepEqual(laneShares.free(), { healthy: 1, struggling: 0 })
  release()
  assert.deepEqual(laneShares.free(), { healthy: 1, struggling: 1 })
})
