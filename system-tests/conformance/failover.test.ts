// docs/runbooks/high-availability.md, block by block, with Debian's Patroni, etcd and HAProxy: three machines, of which the leader is killed.
// `npm run drills` has the other faults.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { failoverPrograms } from '../../tools/local/dns-programs.ts'
import { changesLost, startFailoverWorld } from './peers/failover-world.ts'
import { blockOf } from './peers/machines-place.ts'
import { blocksLeft } from './peers/operator-docs.ts'

test('the machines of the page lose no acknowledged change when their leader is killed, and no block of the page fails', async (t) => {
  const failover = await startFailoverWorld(t, 'HAProxy')
  const { database } = failover
  await database.untilWhole()
  assert.match(await database.list(), /^\| db\d .* Leader .*running/m)
  assert.match(await database.list(), /^\| db\d .* Sync Standby /m)
  const { lost } = await changesLost(t, failover, 'killed', async (leader) => {
    leader.kill()
    return { atMs: performance.now(), repair: () => leader.start() }
  })
  assert.deepEqual(lost, [])

  const former = await database.untilWhole()
  await database.switchover()
  const leader = await database.untilWhole()
  assert.notEqual(leader.name, former.name)

  await leader.query(blockOf('session-settings', {}))
  const settings = await leader.query(
    "select unnest(rolconfig) as set from pg_roles where rolname = 'zonewright_service'",
  )
  assert.deepEqual(
    settings.map(({ set }) => set),
    [
      'statement_timeout=30s',
      'idle_in_transaction_session_timeout=30s',
      'plan_cache_mode=force_generic_plan',
      'jit=off',
    ],
  )

  const install = blockOf('install', {
    'apt-get install --yes': 'apt-get install --simulate',
    'systemctl stop patroni etcd && rm -rf /var/lib/etcd/default\n': '',
    'pg_dropcluster --stop 15 main\n': '',
  })
  const packages = install.trim().split(' ').slice(3)
  execFileSync('sh', ['-euc', install], { stdio: ['ignore', 'ignore', 'pipe'] })
  const shown = [...packages, 'haproxy'].filter((name) => name !== 'postgresql')
  assert.deepEqual(shown.sort(), [...new Set(Object.values(failoverPrograms).flat())].sort())
  assert.deepEqual(blocksLeft('high-availability'), [])
})
