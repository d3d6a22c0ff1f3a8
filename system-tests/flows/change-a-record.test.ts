// docs/flows/change-a-record.md, on real processes.
import assert from 'node:assert/strict'
import test from 'node:test'
import Stripe from 'stripe'
import { askTcp, askUdp, eventually, untilAnswered, worldForTests } from '../world/index.ts'

const world = await worldForTests()
const { api, received, facts } = world
const zone = facts.zone.name
const nameservers = facts.nameservers.map(({ address }) => address)

test('ns1 and ns2 serve a record changed through the API over UDP and TCP, and a signed webhook arrives', async () => {
  const put = await api.put(zone, 'hello', 'TXT', ['"it works"'])
  assert.equal(put.status, 201)
  const serial = Number(put.headers.get('zone-serial'))

  for (const address of nameservers)
    for (const ask of [askUdp, askTcp]) {
      const answer = await eventually(`${address} answers`, async () => {
        const seen = await ask(address, `hello.${zone}`, 'TXT')
        return seen.answers.length > 0 ? seen : undefined
      })
      assert.deepEqual(answer, { rcode: 'NOERROR', aa: true, answers: ['it works'] })
    }

  const request = await received.waitFor(
    'zone.records_changed',
    ({ type, data }) => type === 'zone.records_changed' && data.serial === serial,
  )
  assert.equal(request.verified, true, request.doubt ?? '')
  assert.deepEqual(JSON.parse(request.body).data, {
    zone: { id: facts.zone.id, name: zone },
    serial,
    replicated: true,
    changes: [{ name: `hello.${zone}`, type: 'TXT', ttl: 60, records: ['"it works"'] }],
  })
})

test('a caller that prefers to wait gets a response once ns1 and ns2 serve the change', async () => {
  for (let i = 0; i < 5; i++) {
    const path = `/zones/${zone}/rrsets/waited/TXT`
    const { body } = await api.call('PUT', path, { records: [`"${i}"`] }, { prefer: 'wait=20' })
    assert.equal(body['replicated'], true)
    for (const address of nameservers)
      assert.deepEqual((await askUdp(address, `waited.${zone}`, 'TXT')).answers, [String(i)])
  }
})

test('the request has the headers of the specification, and Stripe’s own verifier accepts it', async () => {
  const request = await received.waitFor('an event', ({ type }) => type === 'zone.records_changed')
  const event = JSON.parse(request.body)
  assert.match(event.id, /^evt_[0-9a-f]+$/)
  assert.match(event.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.equal(request.headers['content-type'], 'application/json')
  assert.match(request.headers['user-agent'] ?? '', /^Service-Webhooks\/1 \(\+http.*\)$/)
  assert.equal(request.headers['service-event-id'], event.id)
  assert.equal(request.headers['service-event-type'], event.type)
  assert.match(request.headers['service-signature'] ?? '', /^t=\d+,v1=[0-9a-f]{64}$/)
  const verified = new Stripe('sk_test_none').webhooks.constructEvent(
    request.body,
    request.headers['service-signature'] ?? '',
    facts.webhook.secret,
  )
  assert.equal(verified.id, event.id)
})

test('zone.created precedes a new zone’s changes; a deleted zone is refused, and zone.deleted comes last', async () => {
  await world.admin('zone', 'add', facts.account.email, 'second.test')
  await api.put('second.test', 'www', 'A', ['192.0.2.1'])
  for (const address of nameservers) await untilAnswered(address, 'www.second.test', 'A', '192.0.2.1')
  await received.waitFor(
    'its change',
    ({ type, data }) => type === 'zone.records_changed' && data.zone.name === 'second.test',
  )

  await world.admin('zone', 'delete', 'second.test')
  for (const address of nameservers)
    await eventually(
      'it is refused',
      async () => (await askUdp(address, 'www.second.test', 'A')).rcode === 'REFUSED',
      5_000,
    )
  await received.waitFor('zone.deleted', ({ type }) => type === 'zone.deleted')
  const types = (await received.events())
    .filter(({ data }) => data.zone?.name === 'second.test')
    .map(({ type }) => type)
  assert.deepEqual(types, ['zone.created', 'zone.records_changed', 'zone.deleted'])
})

test('a record deleted through the API is gone from both nameservers, and its event says so', async () => {
  await api.put(zone, 'gone', 'A', ['192.0.2.1'])
  for (const address of nameservers) await untilAnswered(address, `gone.${zone}`, 'A', '192.0.2.1')
  const deleted = await api.call('DELETE', `/zones/${zone}/rrsets/gone/A`)
  assert.equal(deleted.status, 204)
  for (const address of nameservers)
    await eventually('it is gone', async () => (await askUdp(address, `gone.${zone}`, 'A')).rcode === 'NXDOMAIN')
  const serial = Number(deleted.headers.get('zone-serial'))
  const request = await received.waitFor('the deletion', ({ data }) => data.serial === serial)
  assert.deepEqual(JSON.parse(request.body).data.changes, [{ name: `gone.${zone}`, type: 'A', ttl: 60, records: [] }])
})

test('a zone file of several hundred records is imported, served, and exported unchanged', async () => {
  const lines = Array.from({ length: 300 }, (_, i) => `host${i} 300 IN A 192.0.2.${i % 250}\n`).join('')
  const file = `$TTL 300\n@ IN SOA ns.example. host.example. 1 2 3 4 5\n@ IN NS ns.example.\n@ IN MX 10 host1\n${lines}`
  const imported = await api.call<{ serial: number; diff: { changes: unknown[] }; ignored: unknown[] }>(
    'POST',
    `/zones/${zone}/import`,
    file,
  )
  assert.equal(imported.status, 200, JSON.stringify(imported.body))
  assert.equal(imported.body.diff.changes.length, 301)
  assert.equal(imported.body.ignored.length, 2)
  // The last record.
  for (const address of nameservers) await untilAnswered(address, `host299.${zone}`, 'A', '192.0.2.49')
  const exported = await api.call<string>('GET', `/zones/${zone}/export`)
  const again = await api.call<{ diff: { changes: unknown[] } }>(
    'POST',
    `/zones/${zone}/import?mode=replace`,
    exported.body,
  )
  assert.deepEqual(again.body.diff.changes, [])
})
