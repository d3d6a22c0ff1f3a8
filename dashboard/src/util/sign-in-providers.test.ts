import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerIn, providersIn, signInProviders } from './sign-in-providers.ts'

test('without the service’s element, there are no providers', () => {
  assert.deepEqual(signInProviders, [])
  assert.deepEqual(providersIn('no JSON'), [])
  assert.deepEqual(providersIn('[{"id":"google","name":"Google"}]'), [{ id: 'google', name: 'Google' }])
})

test('the answer of a provider is read as it was sent, even if its code looks like a number', () => {
  const at = 'https://dns.example/app/provider/acme'
  assert.deepEqual(answerIn(`${at}?code=12345678901234567890&state=1e999&x=y&scope=a`), {
    provider: 'acme',
    code: '12345678901234567890',
    state: '1e999',
  })
  assert.deepEqual(answerIn(`${at}?error=access_denied&state=a&iss=https%3A%2F%2Fid.example`), {
    provider: 'acme',
    error: 'access_denied',
    state: 'a',
    iss: 'https://id.example',
  })
  assert.deepEqual(answerIn(at), { provider: 'acme' })
})
