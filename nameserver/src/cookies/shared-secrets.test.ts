import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { Worker } from 'node:worker_threads'
import { SharedSecrets, secretBytes } from './shared-secrets.ts'

describe('shared secrets', () => {
  it('are the same little-endian words for every instance that attaches', () => {
    const shared = SharedSecrets.allocate()
    const making = Uint8Array.from({ length: secretBytes }, (_, index) => index)
    new SharedSecrets(shared).set(making)
    const follower = new SharedSecrets(shared)
    follower.follow()
    assert.deepEqual([...follower.keys], [0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c, 0, 0, 0, 0])
    assert.equal(follower.hasAccepted, false)
  })

  it('are never read in the middle of a change', async (test) => {
    const workerData = { shared: SharedSecrets.allocate(), gate: new Int32Array(new SharedArrayBuffer(4)) }
    const changing = new Worker(new URL('./testing/change-secrets.ts', import.meta.url), { workerData })
    test.after(() => changing.terminate())
    await once(changing, 'online')
    const follower = new SharedSecrets(workerData.shared)
    const seen = new Set<number>()
    const giveUpAt = performance.now() + 120_000
    while (seen.size < 200 && performance.now() < giveUpAt) {
      follower.follow()
      const [first = 0] = follower.keys
      assert.ok(
        follower.keys.every((word) => word === first),
        `${follower.keys}`,
      )
      seen.add(first)
    }
    Atomics.store(workerData.gate, 0, 1)
    assert.equal(seen.size, 200)
  })
})
