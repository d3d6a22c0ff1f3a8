import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startChange } from '#modules/domains/start-change.ts'
import { actorNamed } from '#platform/caller.ts'
import { showByLabel } from '#platform/figures/database-figures.ts'
import { createMetrics } from '#platform/figures/metrics.ts'
import { type Db, openDatabase } from '#platform/postgres/index.ts'
import { aroundCalls } from '#testing/around-calls.ts'
import { stopClock } from '#testing/move-clock.ts'
import { silence } from '#testing/registry-readings.ts'
import { RegistryStaff } from '#testing/registry-staff.ts'
import { startSandboxRegistry } from '#testing/sandbox-registry.ts'
import { startTestApi } from '#testing/test-api.ts'
import { TestBuyer, workDue } from '#testing/test-buyer.ts'
import { TestOwner } from '#testing/test-owner.ts'
import { withRegistry } from '#testing/with-registry.ts'
import { commandFigures } from './figures.ts'

const server = await startSandboxRegistry()
const staff = new RegistryStaff(server)
await staff.fund()
const api = await startTestApi({ registry: server })
const { database } = api
const { log } = api.orders

/** The lines about commands with an unknown outcome, as `/metrics` prints them. */
async function shownFrom(db: Db): Promise<string[]> {
  const metrics = createMetrics()
  showByLabel({ metrics, db, log }, commandFigures)
  return (await metrics.metrics()).match(/^zonewright_registry_command.*/gm) ?? []
}

test('commands with an unknown outcome are counted by owner, with the age of the oldest, in one read', async () => {
  await stopClock(database)
  const buyer = await TestBuyer.make(api, 100_000_000)
  const owner = await TestOwner.make(api, server)
  staff.loseAnswer('domain:create', 'unknown.test')
  await buyer.order('unknown.test', { order: { use_credit: true } })
  await workDue(api)
  let isSent = false
  const silent = aroundCalls(owner.registry, async (method, _, call) => {
    isSent ||= method === 'update'
    return isSent ? silence : call()
  })
  const wanted = { name: await owner.domain(), wish: { kind: 'lock' }, actor: actorNamed('system', 'test') } as const
  await assert.rejects(startChange(withRegistry(owner.work, silent), wanted), { code: 'registry_unavailable' })

  await stopClock(database, '1 hour')
  let reads = 0
  const counted: Db = {
    run: (statement) => {
      reads += 1
      return database.db.run(statement)
    },
  }
  assert.deepEqual(await shownFrom(counted), [
    'zonewright_registry_commands_unknown{owner="order"} 1',
    'zonewright_registry_commands_unknown{owner="change"} 1',
    'zonewright_registry_command_oldest_unknown_seconds{owner="order"} 3600',
    'zonewright_registry_command_oldest_unknown_seconds{owner="change"} 3600',
  ])
  assert.equal(reads, 1)
})

test('while the database is unavailable, the number of commands with an unknown outcome is not a number', async () => {
  const closed = openDatabase('postgres://nobody@127.0.0.1:9/none', { application: 'test' })
  const shown = await shownFrom(closed.db)
  assert.equal(shown.length, 4)
  for (const line of shown) assert.match(line, / Nan$/)
  await closed.close()
})
