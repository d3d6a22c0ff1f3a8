import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { createPaystack } from './index.ts'

/** The gateway's responses to the next requests. */
let answer: (response: ServerResponse) => void = () => undefined
const server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1')
await once(server, 'listening')
const payments = createPaystack({
  url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  secretKey: 'sk_test_hostile',
  timeoutMs: 2_000,
})
after(async () => {
  await payments.close()
  server.closeAllConnections()
  server.close()
})

const send =
  (status: number, body: string): typeof answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
const data = (value: object): string => JSON.stringify({ status: true, message: 'ok', data: value })
const paid = { id: 7, reference: 'pay-1', status: 'success', amount: 500, currency: 'NGN' }

test('an unusable answer from the gateway says nothing about the money', async () => {
  const hostile: Readonly<Record<string, typeof answer>> = {
    'no JSON': send(200, '<html>'),
    'another form': send(200, '[]'),
    'data of another form': send(200, data({ ...paid, status: 1 })),
    'an amount with a fraction': send(200, data({ ...paid, amount: 4.5 })),
    'two megabytes': send(200, data({ ...paid, padding: 'x'.repeat(2_000_000) })),
    'an endless answer': (response) => void response.writeHead(200).write('{'),
    'half an answer': (response) => {
      response.writeHead(200, { 'content-length': '500' }).write(data(paid))
      setImmediate(() => response.destroy())
    },
    silence: () => undefined,
    'a closed connection': (response) => void response.destroy(),
    'a redirect': (response) => void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
    'a fault of its own': send(502, data(paid)),
    'too many requests': send(429, JSON.stringify({ status: false, message: 'slow down' })),
    'a key that it does not know': send(401, JSON.stringify({ status: false, message: 'Invalid key' })),
  }
  for (const [what, how] of Object.entries(hostile)) {
    answer = how
    assert.equal((await payments.verify('pay-1')).kind, 'unavailable', what)
    const refund = await payments.refund({ reference: 'pay-1', amountKobo: 500 })
    assert.equal(refund.kind, 'unavailable', what)
    const charge = await payments.charge({ reference: 'pay-1', amountKobo: 500, email: 'a@b.test', authorization: 'A' })
    assert.equal(
      charge.kind,
      what === 'data of another form' || what === 'an amount with a fraction' ? 'sent' : 'unavailable',
      what,
    )
  }
  // The success of another transaction does not count for this one.
  answer = send(200, data({ ...paid, reference: 'pay-2' }))
  assert.equal((await payments.verify('pay-1')).kind, 'unavailable')
})

test('an unknown status leaves a payment open', async () => {
  for (const [status, read] of [
    ['success', 'succeeded'],
    // The money was returned, so it pays nothing.
    ['reversed', 'failed'],
    ['failed', 'failed'],
    ['abandoned', 'open'],
    ['queued', 'open'],
    ['SUCCESS', 'open'],
  ] as const) {
    answer = send(200, data({ ...paid, status }))
    const verified = await payments.verify('pay-1')
    assert.equal(verified.kind === 'verified' && verified.status, read, status)
  }
})

test('only a declined card has a reason, of bounded length', async () => {
  const reasonOf = async (more: object): Promise<string | null | undefined> => {
    answer = send(200, data({ ...paid, ...more }))
    const verified = await payments.verify('pay-1')
    return verified.kind === 'verified' ? verified.declineReason : undefined
  }
  const declined = { status: 'failed', gateway_response: ' Insufficient Funds ' }
  assert.equal(await reasonOf(declined), 'Insufficient Funds')
  assert.equal(await reasonOf({ status: 'failed' }), '')
  assert.equal(await reasonOf({ status: 'failed', gateway_response: 7 }), '')
  assert.equal(await reasonOf({ ...declined, gateway_response: 'x'.repeat(5_000) }), `${'x'.repeat(200)}…`)
  for (const status of ['success', 'reversed', 'abandoned', 'ongoing'])
    assert.equal(await reasonOf({ ...declined, status }), null, status)
})

test('a card is offered for later charges only if the gateway says that it can be charged', async () => {
  const authorization = {
    authorization_code: 'AUTH_1',
    signature: 'SIG_1',
    channel: 'card',
    reusable: true,
    brand: ' Visa',
    last4: '4081',
    exp_month: '08',
    exp_year: '2030',
  }
  const cardOf = async (more: object): Promise<unknown> => {
    answer = send(200, data({ ...paid, ...more }))
    const verified = await payments.verify('pay-1')
    assert.equal(verified.kind, 'verified')
    return verified.kind === 'verified' ? verified.card : undefined
  }
  assert.deepEqual(await cardOf({ authorization }), {
    authorization: 'AUTH_1',
    signature: 'SIG_1',
    brand: 'visa',
    last4: '4081',
    expiryMonth: 8,
    expiryYear: 2030,
  })
  assert.equal(await cardOf({ authorization, status: 'failed' }), null)
  const others = [
    { reusable: false },
    { reusable: 'true' },
    { channel: 'bank' },
    { signature: null },
    { last4: '40812345' },
    { exp_month: '13' },
    { exp_year: '30' },
    { authorization_code: 'x'.repeat(201) },
  ]
  for (const other of others) assert.equal(await cardOf({ authorization: { ...authorization, ...other } }), null)
  for (const none of [{}, null, undefined, 'AUTH_1']) assert.equal(await cardOf({ authorization: none }), null)
})

test('a refusal has no data and is still recognized', async () => {
  answer = send(400, JSON.stringify({ status: false, message: 'Transaction reference not found.' }))
  assert.deepEqual(await payments.verify('pay-1'), { kind: 'unknown' })
  const refused = await payments.refund({ reference: 'pay-1', amountKobo: 500 })
  assert.deepEqual(refused, { kind: 'refused', why: 'Transaction reference not found.' })
})

test('does not open a page of the gateway that is not a web address', async () => {
  answer = send(200, data({ authorization_url: 'javascript:alert(1)', reference: 'pay-1' }))
  const wanted = { reference: 'pay-1', amountKobo: 500, email: 'a@example.net', returnUrl: 'http://shop.test/' }
  assert.equal((await payments.createCheckout(wanted)).kind, 'unavailable')
})
