import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maxLinkedProviders, planSignIn, returnPath } from './provider-rules.ts'

const person = { subject: '1', email: 'ada@example.net', name: 'Ada' }
const account = { id: 'a', emailConfirmed: true, twoFactorEnabled: false, linked: 0 }
const planned = (standing: object) =>
  planSignIn('Acme', { person, linkedTo: undefined, account: undefined, ...standing })

test('a linked person signs in, whatever the address; without an account, a verified address creates one', () => {
  for (const more of [
    {},
    { account },
    { person: { ...person, email: undefined } },
    { person: { ...person, email: 'b@example.net' } },
  ])
    assert.deepEqual(planned({ linkedTo: 'b', ...more }), { kind: 'sign-in', accountId: 'b' })
  assert.deepEqual(planned({}), { kind: 'create', email: person.email })
})

test('an address links an account only if both sides have verified it and the account has no two-factor authentication', () => {
  assert.deepEqual(planned({ account }), { kind: 'link', accountId: 'a' })
  const unverified = { ...person, email: undefined }
  for (const [standing, why] of [
    [{ account: { ...account, emailConfirmed: false } }, /Forgot password\?/],
    [{ account: { ...account, twoFactorEnabled: true } }, /Sign in with your password, and link Acme/],
    [{ account: { ...account, linked: maxLinkedProviders } }, /can have 5 linked/],
    [{ person: unverified }, /does not say that it has verified/],
  ] as const) {
    const plan = planned(standing)
    assert.match(plan.kind === 'refuse' ? plan.refusal.message : '', why)
  }
})

test('returns only to paths of the dashboard', () => {
  for (const path of ['/', '/zones', '/domains?invited=a%40b.c', '/zones/xn--1ca.example?q=a&type=TXT#x'])
    assert.equal(returnPath(path), path)
  for (const wish of [
    ...[
      undefined,
      '',
      'zones',
      '//evil.example',
      '/\\evil.example',
      '/a\\b',
      'https://evil.example',
      'javascript:alert(1)',
    ],
    ...['/ evil', '/\u0000', '/\n/evil.example', '/\t/evil.example', '/é', `/${'x'.repeat(500)}`],
  ])
    assert.equal(returnPath(wish), '/', JSON.stringify(wish))
})
