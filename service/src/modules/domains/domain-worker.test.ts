import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '#platform/db.ts'
import { eventually } from '../../testing/eventually.ts'
import { startSandboxRegistry } from '../../testing/sandbox-registry.ts'
import { startTestApi } from '../../testing/test-api.ts'
import { TestOwner } from '../../testing/test-owner.ts'
import { DomainWorker } from './domain-worker.ts'

const server = await startSandboxRegistry()
after(() => server.close())
const api = await startTestApi({ registry: server })
const { db } = api.database

test('a registry that takes its time about one domain holds up no other', async (t) => {
  const owner = await TestOwner.make(api, server)
  const [slow = '', ...others] = await Promise.all(Array.from({ length: 40 }, () => owner.domain()))
  // More than are looked at at once; the slow one is the first.
  await sql`
    update domains set facts_at = null, sync_at = app_now() - case when name = ${slow} then interval '2 hours' else interval '1 hour' end`.execute(
    db,
  )
  const looked = async (): Promise<string[]> => {
    const { rows } = await sql<{
      name: string
    }>`select name from domains where facts_at is not null order by name`.execute(db)
    return rows.map(({ name }) => name)
  }
  const answering = Promise.withResolvers<void>()
  const { domains } = owner.registry
  const info: typeof domains.info = async (name) => {
    if (name === slow) await answering.promise
    return domains.info(name)
  }
  const registry = { ...owner.registry, domains: { ...domains, info } }
  const registries = { ...owner.work.registries, registryOf: () => registry }
  const worker = new DomainWorker({ ...owner.work, registries })
  t.after(async () => {
    answering.resolve()
    await worker.stop()
  })
  worker.start()
  await eventually('all others were looked at', async () => (await looked()).length === others.length)
  assert.deepEqual(await looked(), others.sort())
  answering.resolve()
  await worker.stop()
  assert.ok((await looked()).includes(slow), 'what was under way is finished')
})
