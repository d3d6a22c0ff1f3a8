import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ResponseExtensions } from '@zonewright/epp'
import { pricesOf } from './domain-check.ts'

type Told = NonNullable<ResponseExtensions['fee:chkData']>['items'][number]

function told(item: Omit<Partial<Told>, 'commands'> & { standard?: Readonly<Record<string, boolean>> }) {
  const { standard = {}, ...more } = item
  const commands = Object.entries(standard).map(([name, isStandard]) => ({
    name: name as Told['commands'][number]['name'],
    isStandard,
    fees: [{ amount: '7.50' }],
    credits: [],
  }))
  const object = { element: 'name', id: 'Shop.test' }
  return pricesOf('shop.test', { currency: 'USD', items: [{ object, isAvailable: true, commands, ...more }] })
}

const fee = { amount: '7.50', currency: 'USD' }
const no = { create: false, renew: false, transfer: false }
const all = { create: true, renew: true, transfer: true }
const noFees = { create: null, renew: null, transfer: null, restore: null }

test('a command on a premium name is premium unless its price is the standard one', () => {
  const { isPremium, fees } = told({ class: 'premium', standard: { create: false, renew: true, transfer: true } })
  assert.deepEqual(isPremium, { create: true, renew: false, transfer: false })
  assert.deepEqual(fees, { create: fee, renew: fee, transfer: fee, restore: null })
  assert.deepEqual(told({ class: 'tier 2', standard: { create: true, renew: false } }).isPremium, {
    create: false,
    renew: true,
    transfer: true,
  })
})

test('a name of the standard class or without a class is not premium, nor is one whose registry has no fees', () => {
  const standard = { create: false, renew: false, transfer: false }
  assert.deepEqual(told({ class: 'Standard', standard }).isPremium, no)
  assert.deepEqual(told({ standard }).isPremium, no)
  assert.deepEqual(pricesOf('shop.test', undefined), { isPremium: no, fees: noFees })
})

test('a name whose registry returns no prices counts as premium for every command', () => {
  assert.deepEqual(told({ isAvailable: false, reason: 'Ask us' }), { isPremium: all, fees: noFees })
})
