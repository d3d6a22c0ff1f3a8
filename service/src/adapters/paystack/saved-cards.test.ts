import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startGateway } from '@zonewright/sandbox'
import { createPaystack } from './index.ts'

const secretKey = 'sk_test_saved'
const gateway = await startGateway({ httpListen: '127.0.0.1:0', secretKey })
const payments = createPaystack({ url: `http://${gateway.address}`, secretKey })
after(() => payments.close())
after(() => gateway.close())

const email = 'payer@example.net'
let payers = 0

/** Pays once with a card, and returns what the gateway offers for later charges. */
async function savedCard(number: string) {
  const reference = `first-${++payers}`
  await payments.createCheckout({ reference, amountKobo: 5_000, email, returnUrl: 'http://shop.test/' })
  await gateway.pay(reference, number)
  const verified = await payments.verify(reference)
  assert.ok(verified.kind === 'verified' && verified.status === 'succeeded')
  return verified.card
}

async function charge(authorization: string, reference: string, more: object = {}) {
  const charged = await payments.charge({ reference, amountKobo: 700, email, authorization, ...more })
  const verified = await payments.verify(reference)
  return [charged.kind, verified.kind === 'verified' ? verified.status : verified.kind]
}

test('a saved card is charged once for each reference, and each charge has its own outcome', async () => {
  const good = await savedCard('4000000000000001')
  const declined = await savedCard('4000000000000010')
  const challenged = await savedCard('4000000000000011')
  assert.ok(good && declined && challenged)
  assert.deepEqual(await charge(good.authorization, 'charge-1'), ['sent', 'succeeded'])
  assert.deepEqual(await charge(good.authorization, 'charge-1'), ['refused', 'succeeded'])
  assert.equal(gateway.books.charges().length, 1)
  assert.deepEqual(await charge(declined.authorization, 'charge-2'), ['sent', 'failed'])
  assert.deepEqual(await charge(challenged.authorization, 'charge-3'), ['challenged', 'open'])
  // Its owner confirms it on the gateway's page.
  await gateway.pay('charge-3', '4000000000000001')
  assert.deepEqual(await charge(challenged.authorization, 'charge-3'), ['refused', 'succeeded'])
})

test('without its authorization, or for another payer, no card is charged', async () => {
  const card = await savedCard('4000000000000001')
  assert.ok(card)
  assert.deepEqual(await charge('AUTH_none', 'charge-4'), ['refused', 'unknown'])
  assert.deepEqual(await charge(card.authorization, 'charge-5', { email: 'other@example.net' }), ['refused', 'unknown'])
  assert.deepEqual(await payments.deactivate(card.authorization), { kind: 'done' })
  assert.deepEqual(await payments.deactivate(card.authorization), { kind: 'done' })
  assert.deepEqual(await payments.deactivate('AUTH_none'), { kind: 'done' })
  assert.deepEqual(await charge(card.authorization, 'charge-6'), ['refused', 'unknown'])
  gateway.behaviours.set({ status: 502, times: 1 }, 'deactivate')
  assert.equal((await payments.deactivate(card.authorization)).kind, 'unavailable')
})

test('some cards cannot be saved, and a saved card has its expiry date', async () => {
  assert.equal(await savedCard('4000000000000012'), null)
  const now = new Date()
  const soon = await savedCard('4000000000000013')
  assert.deepEqual([soon?.expiryMonth, soon?.expiryYear], [now.getUTCMonth() + 1, now.getUTCFullYear()])
  assert.deepEqual([soon?.brand, soon?.last4], ['visa', '0013'])
})
