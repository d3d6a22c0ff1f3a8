import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressesFor } from './notices.ts'

const readers = { email: 'ada@example.net', isMuted: true, others: ['ops@example.net', 'ada@example.net'] }

test('urgent emails go to the account’s address even if their topic is muted', () => {
  for (const kind of [
    'endpoint_disabled',
    'signed_in',
    'guesses_failed',
    'domain_expiring',
    'zone_contested',
    'key_created',
  ] as const)
    assert.deepEqual(addressesFor(kind, readers), ['ada@example.net', 'ops@example.net'], kind)
})

test('optional emails skip an account that muted their topic, and still go to its other addresses', () => {
  for (const kind of ['zone_live', 'endpoint_failing', 'key_unused', 'domain_renewing', 'alias_failing'] as const) {
    assert.deepEqual(addressesFor(kind, readers), ['ops@example.net'], kind)
    assert.deepEqual(addressesFor(kind, { ...readers, isMuted: false }), ['ada@example.net', 'ops@example.net'], kind)
  }
})

test('an email that answers its reader’s own request goes to no one else', () => {
  for (const kind of ['account_deletion', 'email_changed', 'reset_password'] as const)
    assert.deepEqual(addressesFor(kind, readers), ['ada@example.net'], kind)
})
