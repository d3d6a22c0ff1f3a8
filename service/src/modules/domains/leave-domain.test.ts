import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '#platform/postgres/index.ts'
import { moveClock } from '#testing/move-clock.ts'
import { RegistryStaff } from '#testing/registry-staff.ts'
import { done, startSandboxRegistry, trid } from '#testing/sandbox-registry.ts'
import { startTestApi, testNameservers } from '#testing/test-api.ts'
import { TestOwner } from '#testing/test-owner.ts'

const server = await startSandboxRegistry()
const staff = new RegistryStaff(server)
const [host = '', port = ''] = server.dnsAddress.split(':')
const api = await startTestApi({ registry: server, parent: { host, port: Number(port) } })
const { database } = api
const owner = await TestOwner.make(api, server)

/**
 * The delegation as a check finds it. A zone is checked at most once in ten seconds, and a move needs two checks a minute apart, so the clock is
 * moved.
 */
let minutes = 0
async function checkedTwice(name: string): Promise<string> {
  for (let n = 0; n < 2; n++) {
    minutes += 2
    await moveClock(database, `${minutes} minutes`)
    await owner.person.call('POST', `/zones/${name}/delegation/check`)
  }
  return (await owner.person.call('GET', `/zones/${name}/delegation`)).body.state
}
async function isCheckDue(name: string): Promise<boolean> {
  const { rows } = await sql`
    select from zone_delegations d join zones z on z.id = d.zone_id where z.name = ${name} and d.due_at <= app_now()`.execute(
    database.db,
  )
  return rows.length > 0
}

test('if a domain moves to another registrar, its zone stays, and its delegation shows when it points elsewhere', async () => {
  const name = await owner.domain()
  assert.equal(await checkedTwice(name), 'live')
  assert.equal(await isCheckDue(name), false)
  const { authInfo } = staff.domain(name) ?? assert.fail()
  await staff.rival.domains.requestTransfer({ name, authInfo: authInfo ?? '' }, trid())
  assert.equal((await owner.call('POST', `${name}/transfer-out/approve`)).status, 204)
  assert.equal(await isCheckDue(name), true, 'at once')
  assert.equal(await checkedTwice(name), 'live', 'it still points here')
  const nameservers = { add: ['ns1.example.net', 'ns2.example.net'], remove: [...testNameservers] }
  done(await staff.rival.domains.update(name, { nameservers }, trid()))
  assert.equal(await checkedTwice(name), 'lost')
  const { body: zone } = await owner.person.call('GET', `/zones/${name}`)
  assert.deepEqual([zone.state, zone.origin, zone.delegation.state], ['live', 'bought', 'lost'])
  const added = await owner.person.call('POST', `/zones/${name}/rrsets`, {
    body: { name: 'www', type: 'A', ttl: 300, records: ['192.0.2.80'] },
  })
  assert.equal(added.status, 201, 'its records are the account’s still')
})

test('if the registry deletes a domain, its zone stays, and its delegation is missing', async () => {
  const name = await owner.domain()
  assert.equal(await checkedTwice(name), 'live')
  done(await owner.registry.domains.delete(name, trid()))
  // Two lookups an hour apart do not find the domain.
  await owner.workNow()
  minutes += 60
  await moveClock(database, `${minutes} minutes`)
  await owner.workNow()
  assert.equal((await owner.call('GET', name)).status, 404)
  assert.equal(await isCheckDue(name), true)
  assert.equal(await checkedTwice(name), 'missing')
  assert.equal((await owner.person.call('GET', `/zones/${name}`)).body.state, 'live')
})
