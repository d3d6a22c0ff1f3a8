// docs/flows/a-delegation-is-seen.md, on real processes.
import assert from 'node:assert/strict'
import test from 'node:test'
import { eventually, RegistryOffice, worldForTests } from '../world/index.ts'

const world = await worldForTests()
const { facts } = world
const office = await RegistryOffice.of(world)
const nameservers = facts.nameservers.map(({ name }) => name)
const { name: zone } = facts.zone

test('a domain that is delegated to ns1 and ns2 goes live, and its event is received', async () => {
  const before = await world.api.call('GET', `/zones/${zone}/delegation`)
  assert.equal(before.body['state'], 'waiting')
  await office.delegate(zone, nameservers)
  await eventually('the parent is asked again, which is done once in ten seconds', isLive)
  const event = await world.received.waitFor('the event', ({ type }) => type === 'zone.delegation_changed')
  assert.equal(event.verified, true)
  const { data } = JSON.parse(event.body)
  assert.deepEqual(data, {
    zone: facts.zone,
    state: 'live',
    previous_state: 'waiting',
    parent_nameservers: nameservers,
    registry_nameservers: nameservers,
  })
  assert.deepEqual((await world.api.call('GET', `/zones/${zone}`)).body['delegation'], { state: 'live' })
})

test('the propagation check shows that public resolvers return a change', async () => {
  // Not queried earlier, because a resolver also caches the answer that a name does not exist.
  const path = `/zones/${zone}/rrsets/www/A`
  const put = await world.api.call('PUT', path, { ttl: 60, records: ['192.0.2.7'] }, { prefer: 'wait=20' })
  assert.equal(put.body['replicated'], true)
  const { body: seen } = await world.api.call<{
    replicated: boolean
    resolvers: { answer: string[]; in_sync: boolean }[]
  }>('GET', `/zones/${zone}/propagation?name=www&type=A`)
  assert.equal(seen.replicated, true)
  assert.deepEqual(seen.resolvers[0]?.answer, ['192.0.2.7'])
  assert.equal(seen.resolvers[0]?.in_sync, true)
})

async function isLive(): Promise<boolean> {
  return (await world.api.call('POST', `/zones/${zone}/delegation/check`)).body['state'] === 'live'
}
