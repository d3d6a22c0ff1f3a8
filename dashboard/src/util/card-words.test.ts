import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cardExpiry, cardTitle } from './card-words.ts'

test('a card is named by its brand and its last digits, even if the brand is unknown', () => {
  const card = { id: 'card_1', last4: '4081', expiry_month: 8, expiry_year: 2029, expired: false }
  assert.deepEqual(
    ['visa', 'verve', 'naija', ''].map((brand) => cardTitle({ ...card, brand })),
    ['Visa •••• 4081', 'Verve •••• 4081', 'naija •••• 4081', 'Card •••• 4081'],
  )
  assert.equal(cardExpiry({ ...card, brand: 'visa' }), '08/2029')
})
