import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import Stripe from 'stripe'
import { type RefusalReason, type VerifyOptions, verifyWebhook, WebhookRefused } from './index.ts'

/** The npm package that verifies Standard Webhooks for its users. */
interface Standard {
  readonly Webhook: new (
    secret: string,
  ) => {
    sign(id: string, at: Date, body: string): string
    verify(body: string, headers: Record<string, string>): unknown
  }
}
const { Webhook } = (await import(import.meta.resolve('standardwebhooks'))) as Standard

const event = {
  id: 'evt_1',
  type: 'zone.deleted',
  created_at: '2026-11-21T10:00:00.000Z',
  data: { zone: { name: 'bücher.example' } },
}
const body = JSON.stringify(event)
const newSecret = (): string => `whsec_${randomBytes(30).toString('base64')}`
const secret = newSecret()
const nowS = 1_795_000_000
const nowMs = nowS * 1000

/** The headers that the service sends. stripe signs its own scheme, and standardwebhooks signs the other one. */
function signed(secrets: readonly string[] = [secret], payload = body, atS = nowS) {
  const own = secrets.map((one) => Stripe.webhooks.generateTestHeaderString({ payload, secret: one, timestamp: atS }))
  return {
    'service-signature': `t=${atS},${own.map((header) => header.split(',')[1]).join(',')}`,
    'webhook-id': event.id,
    'webhook-timestamp': String(atS),
    'webhook-signature': secrets.map((one) => new Webhook(one).sign(event.id, new Date(atS * 1000), payload)).join(' '),
  }
}

const ownScheme = (headers: ReturnType<typeof signed>) => ({ 'service-signature': headers['service-signature'] })
const standardScheme = ({ 'service-signature': _, ...headers }: ReturnType<typeof signed>) => headers
const schemes = { 'Service-Signature': ownScheme, 'Standard Webhooks': standardScheme }

async function refusal(options: Partial<VerifyOptions>): Promise<RefusalReason | undefined> {
  try {
    await verifyWebhook({ body, headers: signed(), secret, nowMs, ...options })
    return undefined
  } catch (error) {
    assert.ok(error instanceof WebhookRefused, String(error))
    return error.reason
  }
}

for (const [name, headersOf] of Object.entries(schemes)) {
  test(`${name}: an event of the service is returned, from text and from bytes`, async () => {
    for (const form of [body, Buffer.from(body), new Uint8Array(Buffer.from(body))])
      assert.deepEqual(await verifyWebhook({ body: form, headers: headersOf(signed()), secret, nowMs }), event)
  })

  test(`${name}: a different body, a different secret and a modified signature are refused`, async () => {
    const headers = headersOf(signed())
    assert.equal(await refusal({ headers, body: `${body} ` }), 'wrong_signature')
    assert.equal(await refusal({ headers, secret: newSecret() }), 'wrong_signature')
    for (const [header, value] of Object.entries(headers)) {
      const last = value.at(-1) === '0' ? '1' : '0'
      const touched = { ...headers, [header]: value.slice(0, -1) + last }
      if (!value.endsWith('=')) assert.equal(await refusal({ headers: touched }), 'wrong_signature', header)
    }
  })

  test(`${name}: a signature more than five minutes in the past or in the future is refused`, async () => {
    for (const [atS, reason] of [
      [nowS - 300, undefined],
      [nowS - 301, 'too_old'],
      [nowS + 300, undefined],
      [nowS + 301, 'too_old'],
    ] as const)
      assert.equal(await refusal({ headers: headersOf(signed([secret], body, atS)) }), reason, `${atS - nowS} s`)
    assert.equal(
      await refusal({ headers: headersOf(signed([secret], body, nowS - 900)), toleranceS: 1_000 }),
      undefined,
    )
  })

  test(`${name}: during a rotation, either secret verifies, and a receiver can have both`, async () => {
    const fresh = newSecret()
    const both = headersOf(signed([fresh, secret]))
    assert.equal(await refusal({ headers: both, secret }), undefined)
    assert.equal(await refusal({ headers: both, secret: fresh }), undefined)
    assert.equal(await refusal({ headers: both, secret: newSecret() }), 'wrong_signature')
    assert.equal(await refusal({ headers: headersOf(signed([fresh])), secret: [secret, fresh] }), undefined)
    assert.equal(await refusal({ headers: headersOf(signed([fresh])), secret: [] }), 'wrong_signature')
  })
}

test('headers are accepted as a Headers object, in any letter case, or as lists', async () => {
  const headers = signed()
  assert.equal(await refusal({ headers: new Headers(headers) }), undefined)
  assert.equal(await refusal({ headers: { 'Service-Signature': headers['service-signature'] } }), undefined)
  assert.equal(await refusal({ headers: { 'service-signature': [headers['service-signature']] } }), undefined)
})

test('the reason says whether a signature is missing or cannot be read', async () => {
  assert.equal(await refusal({ headers: {} }), 'no_signature')
  for (const header of ['', 't=1', 'v1=00', 't=x,v1=00', 't=-1,v1=00', 't=99999999999999999999,v1=00', 't=1.5,v1=00'])
    assert.equal(await refusal({ headers: { 'service-signature': header } }), 'unreadable', header)
  assert.equal(await refusal({ headers: { ...standardScheme(signed()), 'webhook-timestamp': 'now' } }), 'unreadable')
  assert.equal(
    await refusal({ headers: { ...standardScheme(signed()), 'webhook-signature': 'v2,AAAA' } }),
    'unreadable',
  )
  assert.equal(await refusal({ secret: 'svc_live_x' }), 'unreadable')
})

test('an invalid Service-Signature is refused even with a valid webhook-signature', async () => {
  assert.equal(
    await refusal({ headers: { ...signed(), 'service-signature': `t=${nowS},v1=${'0'.repeat(64)}` } }),
    'wrong_signature',
  )
})

test('a signed body that is not an event is refused', async () => {
  for (const odd of ['null', '[]', '{"id":"evt_1"}', 'plain', ''])
    assert.equal(await refusal({ headers: signed([secret], odd), body: odd }), 'not_an_event', odd)
})

test('both libraries accept what this package accepts', async () => {
  const at = Math.floor(Date.now() / 1000)
  const headers = signed([secret], body, at)
  assert.deepEqual(Stripe.webhooks.constructEvent(body, headers['service-signature'], secret), event)
  assert.deepEqual(new Webhook(secret).verify(body, headers), event)
  assert.deepEqual(await verifyWebhook({ body, headers, secret }), event)
})

test('without the secret, any headers are refused, and they never cause another error', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.string(), fc.string(), async (own, id, standard) => {
      const headers = {
        'service-signature': own,
        'webhook-id': id,
        'webhook-timestamp': String(nowS),
        'webhook-signature': standard,
      }
      assert.notEqual(await refusal({ headers }), undefined)
      assert.notEqual(await refusal({ headers: { ...headers, 'service-signature': undefined } }), undefined)
    }),
  )
})

test('the key of one scheme is the secret’s text, and the key of the other is its bytes', async () => {
  const own = createHmac('sha256', secret).update(`${nowS}.${body}`).digest('hex')
  const bytes = Buffer.from(secret.slice(6), 'base64')
  const standard = createHmac('sha256', bytes).update(`evt_1.${nowS}.${body}`).digest('base64')
  assert.equal(signed()['service-signature'], `t=${nowS},v1=${own}`)
  assert.equal(signed()['webhook-signature'], `v1,${standard}`)
})
