// PostgreSQL on three machines, set up as docs/runbooks/high-availability.md says: the outcome of changes while the leader is killed, replaced,
// cut off from etcd, or killed when its standbys lack the last seconds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesLost, perSecond, startFailoverWorld } from '../conformance/peers/failover-world.ts'
import { untilAnswered } from '../world/index.ts'

/** The time from when the next leader accepts writes until the first change there. */
const mostFenceMs = 2_000

for (const way of ['HAProxy', 'a list of hosts'] as const)
  test(`the service reaches PostgreSQL through ${way}`, async (t) => {
    const drill = await startFailoverWorld(t, way)
    const { database, world } = drill

    await t.test('kill -9 of the leader loses no acknowledged change', async (t) => {
      const { lost, fenceMs } = await changesLost(t, drill, 'killed', async (leader) => {
        leader.kill()
        return { atMs: performance.now(), repair: () => leader.start() }
      })
      assert.deepEqual(lost, [])
      assert.ok(fenceMs <= mostFenceMs, `${fenceMs} ms`)
    })

    await t.test('a switchover loses no acknowledged change', async (t) => {
      const { lost, fenceMs } = await changesLost(t, drill, 'switched', async () => {
        const atMs = performance.now()
        await database.switchover()
        return { atMs, repair: () => undefined }
      })
      assert.deepEqual(lost, [])
      assert.ok(fenceMs <= mostFenceMs, `${fenceMs} ms`)
    })

    await t.test(
      'a leader that is cut off from etcd never leads at the same time as another, and loses no acknowledged change',
      async (t) => {
        const { lost, fenceMs } = await changesLost(t, drill, 'alone', async (leader) => {
          leader.reachEtcd(false)
          return { atMs: performance.now(), repair: () => leader.reachEtcd(true) }
        })
        assert.deepEqual(lost, [])
        assert.ok(fenceMs <= mostFenceMs, `${fenceMs} ms`)
      },
    )

    await t.test(
      'kill -9 of a leader whose standbys lack 3 s loses these, and reuses no serial and no event id',
      async (t) => {
        await database.set('synchronous_mode=false', 'maximum_lag_on_failover=67108864')
        const { lost, fenceMs } = await changesLost(t, drill, 'behind', async (leader, puts) => {
          leader.replicate(false)
          await puts.untilAcknowledged(3 * perSecond)
          const last = puts.acknowledged.at(-1)?.name ?? ''
          for (const { address } of world.facts.nameservers)
            await untilAnswered(address, `${last}.${world.facts.zone.name}`, 'TXT', last)
          leader.kill()
          const repair = () => {
            leader.replicate(true)
            leader.start()
          }
          return { atMs: performance.now(), repair }
        })
        assert.ok(lost.length >= 3 * perSecond, `${lost.length} are lost`)
        assert.ok(fenceMs <= mostFenceMs, `${fenceMs} ms`)
      },
    )
  })
