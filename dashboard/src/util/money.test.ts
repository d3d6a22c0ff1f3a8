import assert from 'node:assert/strict'
import { test } from 'node:test'
import { naira } from './money.ts'

test('an amount has two decimals, groups of thousands, and its sign before the currency', () => {
  for (const [kobo, said] of [
    [0, '₦0.00'],
    [1, '₦0.01'],
    [-1, '−₦0.01'],
    [100, '₦1.00'],
    [-100, '−₦1.00'],
    [123_456, '₦1,234.56'],
    [1_000_000_099, '₦10,000,000.99'],
    [-123_456_789, '−₦1,234,567.89'],
  ] as const)
    assert.equal(naira(kobo), said)
})
