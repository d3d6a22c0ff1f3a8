import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWebhookHttp } from '#adapters/webhook-http/index.ts'
import { sql } from '#platform/postgres/index.ts'
import { startTestWorld, until } from '#testing/webhooks/test-world.ts'
import { faultsOfHeaders } from './fixed-headers.ts'

const world = await startTestWorld(createWebhookHttp)

test('fixed headers are sent with each request, and their values are in no response and not in the database', async () => {
  const { engine, account, call, endpoint } = await world.delivering()
  const path = `/webhooks/${endpoint.id}`
  const value = 'Bearer s3cret-of-the-receiver'
  const wanted = [
    { name: 'Authorization', value },
    { name: 'X-Env', value: 'a b\tc' },
  ]
  const changed = await call('PATCH', path, { headers: wanted })
  const masked = wanted.map(({ name }) => ({ name, value: '***' }))
  assert.deepEqual([changed.status, changed.body.headers], [200, masked])
  await world.publish(account)
  const [request] = await endpoint.until(1)
  assert.deepEqual(
    [request?.headers.authorization, request?.headers['x-env'], request?.verified],
    [value, 'a b\tc', true],
  )
  await until(async () => (await call('GET', `${path}/deliveries`)).body.data[0]?.status === 'succeeded', 'the record')
  const [{ id }] = (await call('GET', `${path}/deliveries`)).body.data
  const { attempts } = (await call('GET', `${path}/deliveries/${id}`)).body
  assert.equal(attempts[0].request_headers.Authorization, '***')
  const { rows } = await sql<{ text: string }>`
    select e::text || (select json_agg(a)::text from webhook_attempts a) || (select json_agg(l)::text from audit_log l) as text
    from webhook_endpoints e where id = ${endpoint.id}`.execute(world.database.db)
  for (const form of [value, Buffer.from(value).toString('hex'), Buffer.from(value).toString('base64')])
    assert.ok(!rows[0]?.text.includes(form), form)

  // One header is kept in another letter case, one is replaced, and one is added. Then all are removed.
  await call('PATCH', path, {
    headers: [{ name: 'authorization' }, { name: 'X-Env', value: 'new' }, { name: 'X-More', value: '1' }],
  })
  await world.publish(account)
  const second = (await endpoint.until(2))[1]?.headers
  assert.deepEqual([second?.authorization, second?.['x-env'], second?.['x-more']], [value, 'new', '1'])
  await call('PATCH', path, { headers: (await call('GET', path)).body.headers, description: 'as it was read' })
  await world.publish(account)
  assert.equal((await endpoint.until(3))[2]?.headers.authorization, value)
  assert.deepEqual((await call('PATCH', path, { headers: [] })).body.headers, [])
  await world.publish(account)
  assert.equal((await endpoint.until(4))[3]?.headers.authorization, undefined)
  await engine.stop()
})

test('six headers, or a new one without a valid value, are rejected, and nothing changes', async () => {
  const account = await world.account()
  const call = world.api(account)
  const { id } = await world.endpoint(account)
  const before = (await call('GET', `/webhooks/${id}`)).body
  for (const headers of [
    Array.from({ length: 6 }, (_, n) => ({ name: `X-${n}`, value: 'v' })),
    [{ name: 'X-New' }],
    [{ name: 'X-New', value: '***' }],
    [{ name: 'X-New', value: 'a\r\nX-Other: b' }],
  ]) {
    const { status, body } = await call('PATCH', `/webhooks/${id}`, { headers, description: 'new' })
    assert.deepEqual([status, body.error.code], [422, 'validation_failed'], JSON.stringify(headers))
  }
  assert.deepEqual((await call('GET', `/webhooks/${id}`)).body, before)
  const made = await call('POST', '/webhooks', { url: before.url, headers: [{ name: 'X-New' }] })
  assert.equal(made.status, 422)
  const { rows } = await sql`select from webhook_endpoints where account_id = ${account}`.execute(world.database.db)
  assert.equal(rows.length, 1)
})

test('names that HTTP or the service sets are rejected, and so are names and values with invalid characters', () => {
  const codes = (name: string, value = 'v') => faultsOfHeaders([{ name, value }]).map(({ code }) => code)
  for (const name of ['X-Api-Key', 'Authorization', 'Cookie', 'a', 'x'.repeat(64), '__proto__'])
    assert.deepEqual(codes(name), [], name)
  for (const name of [
    ...['Host', 'HOST', 'Connection', 'Keep-Alive', 'Proxy-Authorization', 'TE', 'Trailer', 'Transfer-Encoding'],
    ...['Upgrade', 'Expect', 'Content-Type', 'content-length', 'Content-Encoding', 'User-Agent', 'webhook-id'],
    ...['Webhook-Signature', 'Service-Signature', 'service-event-test', 'Accept-Encoding', 'HTTP2-Settings'],
  ])
    assert.deepEqual(codes(name), ['reserved_header'], name)
  for (const name of ['', 'a b', 'a:', 'a\r\nb', 'a\n', 'é', 'a\0', '(a)', 'x'.repeat(65), ' a', 'a\u202e'])
    assert.deepEqual(codes(name), ['invalid_header'], JSON.stringify(name))
  for (const value of ['v', 'a b', 'a\tb', '~', 'x'.repeat(1_024)]) assert.deepEqual(codes('A', value), [], value)
  for (const value of ['', ' ', ' a', 'a ', 'a\r\nb', 'a\n', '\ra', 'é', 'a\0', '\u007f', 'x'.repeat(1_025), 'a\u202e'])
    assert.deepEqual(codes('A', value), ['invalid_header'], JSON.stringify(value))
  const twice = faultsOfHeaders([
    { name: 'X-A', value: 's3cret\n' },
    { name: 'x-a', value: 'v' },
  ])
  assert.deepEqual(
    twice.map(({ path, code }) => [path, code]),
    [
      ['/headers/0/value', 'invalid_header'],
      ['/headers/1/name', 'duplicate_header'],
    ],
  )
  assert.doesNotMatch(JSON.stringify(twice), /s3cret/)
})
