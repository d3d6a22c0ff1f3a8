import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/postgres/index.ts'
import { eventually } from '#testing/eventually.ts'
import { startSandboxRegistry } from '#testing/sandbox-registry.ts'
import { startTestApi } from '#testing/test-api.ts'
import { TestBuyer } from '#testing/test-buyer.ts'
import { OrderQueue } from './order-queue.ts'

const server = await startSandboxRegistry()
const api = await startTestApi({ registry: server })
const ours = api.orders.registries.registryOf('any.test') ?? assert.fail('no registry is connected')

test('a registry that hangs does not delay orders at another registry', async (t) => {
  // More orders than a worker processes at one registry; a key can place twenty orders an hour.
  const names = Array.from({ length: 40 }, (_, i) => `order-${i}.test`)
  const buyers = [await TestBuyer.make(api, 1_000_000_000), await TestBuyer.make(api, 1_000_000_000)]
  for (const [i, name] of names.entries())
    assert.equal((await buyers[i % 2]?.order(name, { order: { use_credit: true } }))?.status, 201)
  const elsewhere = names.slice(-2)
  // The other orders are due first.
  await sql`
    update orders set tld = 'elsewhere', step_at = step_at + interval '1 ms' where name = any(${elsewhere})`.execute(
    api.database.db,
  )
  const answering = Promise.withResolvers<void>()
  const { contacts } = ours
  let asked = 0
  const create: typeof contacts.create = async (...args) => {
    asked += 1
    await answering.promise
    return contacts.create(...args)
  }
  const hanging = { ...ours, id: 'hanging', tlds: ['test'], contacts: { ...contacts, create } }
  const well = { ...ours, id: 'well', tlds: ['elsewhere'] }
  const registryOf = (name: string) => (elsewhere.includes(name) ? well : hanging)
  const registries = { ...api.orders.registries, all: [hanging, well], registryOf }
  const worker = new OrderQueue({ ...api.orders, registries })
  t.after(async () => {
    answering.resolve()
    await worker.stop()
  })
  const completed = async (): Promise<string[]> => {
    const { rows } = await sql<{ name: string }>`
      select name from orders where status = 'completed' order by name`.execute(api.database.db)
    return rows.map(({ name }) => name)
  }
  worker.start()
  await eventually('the orders at the other registry are carried out', async () => (await completed()).length === 2)
  assert.deepEqual(await completed(), elsewhere.sort())
  assert.equal(asked, 32)
  answering.resolve()
  await eventually('those at the one that hung are, too', async () => (await completed()).length === names.length)
})
