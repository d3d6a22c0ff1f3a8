import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import Stripe from 'stripe'
import { newSecret, type Signed, webhookHeaders } from './signature.ts'

const body = Buffer.from('{"id":"evt_1","type":"ping","created_at":"2026-11-20T10:00:00.000Z","data":{"ä":"ö"}}')

function signed(secrets: readonly string[], at = Math.floor(Date.now() / 1000)): Signed {
  return { eventId: 'evt_1', eventType: 'ping', at, body, secrets, site: 'https://zonewright.test', isTest: false }
}

test('the headers match the specification', () => {
  const {
    'Service-Signature': signature,
    'webhook-signature': standard,
    ...rest
  } = webhookHeaders(signed([newSecret()], 1_790_000_000))
  assert.deepEqual(rest, {
    'Content-Type': 'application/json',
    'User-Agent': 'Service-Webhooks/1 (+https://zonewright.test)',
    'Service-Event-Id': 'evt_1',
    'Service-Event-Type': 'ping',
    'webhook-id': 'evt_1',
    'webhook-timestamp': '1790000000',
  })
  assert.match(signature ?? '', /^t=1790000000,v1=[0-9a-f]{64}$/)
  assert.match(standard ?? '', /^v1,[A-Za-z0-9+/]{43}=$/)
})

test('a test has an additional header, and is signed like any other event', () => {
  const secret = newSecret()
  const { 'Service-Event-Test': mark, ...rest } = webhookHeaders({ ...signed([secret], 1_790_000_000), isTest: true })
  assert.equal(mark, 'true')
  assert.deepEqual(rest, webhookHeaders(signed([secret], 1_790_000_000)))
})

test('a secret is whsec_ followed by 24 to 32 random bytes in base64', () => {
  const secret = newSecret()
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1] ?? ''
  const bytes = Buffer.from(encoded, 'base64')
  assert.ok(bytes.length >= 24 && bytes.length <= 32)
  assert.equal(bytes.toString('base64'), encoded)
  assert.notEqual(newSecret(), secret)
})

test("the npm package stripe's constructEvent accepts Service-Signature, and rejects another body, secret or age", () => {
  const secret = newSecret()
  const header = webhookHeaders(signed([secret]))['Service-Signature'] ?? ''
  const { webhooks } = Stripe
  assert.equal(webhooks.constructEvent(body, header, secret).id, 'evt_1')
  assert.throws(() => webhooks.constructEvent(Buffer.concat([body, Buffer.of(32)]), header, secret))
  assert.throws(() => webhooks.constructEvent(body, header, newSecret()))
  const old = webhookHeaders(signed([secret], Math.floor(Date.now() / 1000) - 301))['Service-Signature'] ?? ''
  assert.throws(() => webhooks.constructEvent(body, old, secret))
})

test('during a rotation, each live secret signs, and a receiver with either secret accepts', () => {
  const [fresh, old] = [newSecret(), newSecret()]
  const headers = webhookHeaders(signed([fresh, old]))
  const header = headers['Service-Signature'] ?? ''
  assert.equal(header.match(/v1=/g)?.length, 2)
  for (const secret of [fresh, old]) assert.equal(Stripe.webhooks.constructEvent(body, header, secret).id, 'evt_1')
  assert.equal(headers['webhook-signature']?.split(' ').length, 2)
})

test('webhook-signature matches an independent computation by Standard Webhooks 1.0', () => {
  const secret = newSecret()
  const headers = webhookHeaders(signed([secret], 1_790_000_000))
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const expected = createHmac('sha256', key)
    .update(`evt_1.1790000000.${body.toString('utf8')}`, 'utf8')
    .digest('base64')
  assert.equal(headers['webhook-signature'], `v1,${expected}`)
})
