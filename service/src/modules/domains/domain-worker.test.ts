import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/postgres/index.ts'
import { eventually } from '#testing/eventually.ts'
import { startSandboxRegistry } from '#testing/sandbox-registry.ts'
import { startTestApi } from '#testing/test-api.ts'
import { TestOwner } from '#testing/test-owner.ts'
import { withRegistry } from '#testing/with-registry.ts'
import { DomainWorker } from './domain-worker.ts'

const server = await startSandboxRegistry()
const api = await startTestApi({ registry: server })
const { db } = api.database
const owner = await TestOwner.make(api, server)

/** The domains that were queried at a registry. */
async function looked(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from domains where facts_at is not null order by name`.execute(db)
  return rows.map(({ name }) => name)
}

test('a slow response about one domain does not delay other domains', async (t) => {
  const [slow = '', ...others] = await Promise.all(Array.from({ length: 40 }, () => owner.domain()))
  // More domains than a worker checks at once; the slow one comes first.
  await sql`
    update domains set facts_at = null, sync_at = app_now() - case when name = ${slow} then interval '2 hours' else interval '1 hour' end`.execute(
    db,
  )
  const answering = Promise.withResolvers<void>()
  const { domains } = owner.registry
  const info: typeof domains.info = async (name) => {
    if (name === slow) await answering.promise
    return domains.info(name)
  }
  const registry = { ...owner.registry, domains: { ...domains, info } }
  const worker = new DomainWorker(withRegistry(owner.work, registry))
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

test('a registry that hangs completely does not delay other registries', async (t) => {
  await sql`update domains set sync_at = null, facts_at = null`.execute(db)
  const names = await Promise.all(Array.from({ length: 70 }, () => owner.domain()))
  // More domains at the hanging registry than a worker processes at once, and due before the others.
  const elsewhere = names.splice(0, 3)
  await sql`
    update domains set tld = case when name = any(${elsewhere}) then 'elsewhere' else tld end, facts_at = null,
      sync_at = app_now() - case when name = any(${elsewhere}) then interval '1 hour' else interval '2 hours' end
    where name = any(${[...names, ...elsewhere]})`.execute(db)
  const answering = Promise.withResolvers<void>()
  const { domains } = owner.registry
  let asked = 0
  const info: typeof domains.info = async (name) => {
    asked += 1
    await answering.promise
    return domains.info(name)
  }
  const hanging = { ...owner.registry, id: 'hanging', tlds: ['test'], domains: { ...domains, info } }
  const well = { ...owner.registry, id: 'well', tlds: ['elsewhere'] }
  const registryOf = (name: string) => (elsewhere.includes(name) ? well : hanging)
  const worker = new DomainWorker({
    ...owner.work,
    registries: { ...owner.work.registries, all: [hanging, well], registryOf },
  })
  t.after(async () => {
    answering.resolve()
    await worker.stop()
  })
  worker.start()
  await eventually('the others were looked at', async () => (await looked()).length === elsewhere.length)
  assert.deepEqual(await looked(), elsewhere.sort())
  assert.equal(asked, 32)
  answering.resolve()
  await eventually(
    'those that hung were looked at, too',
    async () => (await looked()).length === names.length + elsewhere.length,
  )
})
