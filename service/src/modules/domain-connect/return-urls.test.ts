import assert from 'node:assert/strict'
import { test } from 'node:test'
import { returnUrlsOf } from './return-urls.ts'

const domains = ['service.example', 'other.example']

function back(uri: string, { signed = false, state }: { signed?: boolean; state?: string } = {}) {
  const parameters = new Map([['redirect_uri', uri], ...(state === undefined ? [] : [['state', state] as const])])
  return returnUrlsOf({ parameters }, { redirectDomains: domains }, signed)
}

test('the browser returns to the template’s domain, or below it, with the state and the outcome', () => {
  assert.deepEqual(back('https://www.service.example/done?x=1', { state: 'a b&error=' }), {
    applied: 'https://www.service.example/done?x=1&state=a+b%26error%3D',
    cancelled:
      'https://www.service.example/done?x=1&state=a+b%26error%3D&error=access_denied&error_description=user_cancel',
    invalid: 'https://www.service.example/done?x=1&state=a+b%26error%3D&error=invalid_request',
    denied: 'https://www.service.example/done?x=1&state=a+b%26error%3D&error=access_denied',
  })
  for (const uri of ['https://service.example', 'https://OTHER.example:8443/', 'https://a.b.service.example./x'])
    assert.equal(back(uri)?.applied, new URL(uri).href, uri)
})

const never = [
  '',
  '/done',
  '//service.example/done',
  'service.example',
  'http://service.example/',
  'javascript:alert(1)//service.example',
  'data:text/html,https://service.example',
  'https:service.example',
  'https:/service.example',
  'https://user@service.example/',
  'https://user:password@service.example/',
  'https://@service.example/',
  'https://:@service.example/',
  'https://service.example@evil.example/',
  'https://service.example/#fragment',
  'https://service.example/#',
  'https://service.example\\@evil.example/',
  'https://evil.example\\.service.example/',
  'https://evil.example\t.service.example/',
  'https://service.example/\r\nSet-Cookie: a=b',
  ' https://service.example/',
  'https://service.example/ x',
  'https://service.example/"',
  'https://[::1',
  'https://service.example:99999/',
  'https://sérvice.example/',
]

test('a redirect must be plain https without a user, signed or not', () => {
  for (const uri of never) {
    assert.equal(back(uri), null, uri)
    assert.equal(back(uri, { signed: true }), null, uri)
  }
})

test('without a signature, the browser is sent to no other host', () => {
  for (const host of [
    'evil.example',
    'evilservice.example',
    'service.example.evil.example',
    'example',
    'serviceXexample',
    '192.0.2.1',
    '[2001:db8::1]',
    'localhost',
  ]) {
    assert.equal(back(`https://${host}/`), null, host)
    assert.notEqual(back(`https://${host}/`, { signed: true }), null, host)
  }
})

test('without redirect_uri, or without a domain for it, the flow ends in the dashboard', () => {
  assert.equal(returnUrlsOf({ parameters: new Map() }, { redirectDomains: domains }, true), null)
  const parameters = new Map([['redirect_uri', 'https://service.example/']])
  assert.equal(returnUrlsOf({ parameters }, { redirectDomains: [] }, false), null)
})
