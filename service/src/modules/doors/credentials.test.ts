import assert from 'node:assert/strict'
import { test } from 'node:test'
import { basicUserOf, type CredentialKind, secretOf } from './credentials.ts'

const header = (headers: Readonly<Record<string, string>>) => (name: string) => headers[name]
const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
const all: readonly CredentialKind[] = ['bearer', 'basic', 'x-api-key']

test('reads a key in each of the ways that a door accepts', () => {
  const cases: [headers: Record<string, string>, secret: string | undefined][] = [
    [{}, undefined],
    [{ authorization: 'Bearer svc_live_1' }, 'svc_live_1'],
    [{ authorization: 'bearer  svc_live_1' }, 'svc_live_1'],
    [{ 'x-api-key': 'svc_live_1' }, 'svc_live_1'],
    [{ 'x-api-key': ' svc_live_1 ' }, 'svc_live_1'],
    [{ 'x-api-key': 'svc_live_1', authorization: 'Bearer svc_live_2' }, 'svc_live_1'],
    [{ 'x-api-key': '', authorization: 'Bearer svc_live_2' }, 'svc_live_2'],
    [basic('home.example.com:svc_live_1'), 'svc_live_1'],
    [basic(':svc_live_1'), 'svc_live_1'],
    [basic('any user, with spaces:svc_live_1'), 'svc_live_1'],
    [basic('user:with:colons'), 'with:colons'],
    [{ authorization: basic('üser:svc_live_1').authorization.replace('Basic', 'BASIC') }, 'svc_live_1'],
  ]
  for (const [headers, secret] of cases) assert.equal(secretOf(header(headers), all), secret, JSON.stringify(headers))
})

test('refuses a header of another scheme or form, and a way that the door does not accept', () => {
  const refused: [headers: Record<string, string>, kinds: readonly CredentialKind[]][] = [
    [{ authorization: '' }, all],
    [{ authorization: 'Bearer' }, all],
    [{ authorization: 'Bearer one two' }, all],
    [{ authorization: 'Bearer one, Bearer two' }, all],
    [{ authorization: 'svc_live_1' }, all],
    [{ authorization: 'Digest username="x"' }, all],
    [{ authorization: 'Basic' }, all],
    [{ authorization: 'Basic !!!' }, all],
    [{ authorization: `${basic('a:b').authorization}, ${basic('c:d').authorization}` }, all],
    [basic('no colon'), all],
    [basic('user:'), all],
    [basic('user:two words'), all],
    [basic('user:svc_live_1,svc_live_2'), all],
    [{ 'x-api-key': 'svc_live_1, svc_live_1' }, all],
    [{ 'x-api-key': 'two words' }, ['x-api-key']],
    [basic('user:svc_live_1'), ['bearer', 'x-api-key']],
    [{ authorization: 'Bearer svc_live_1' }, ['basic']],
  ]
  for (const [headers, kinds] of refused)
    assert.throws(() => secretOf(header(headers), kinds), { code: 'invalid_key' }, JSON.stringify(headers))
  assert.equal(secretOf(header({ 'x-api-key': 'svc_live_1' }), ['bearer', 'basic']), undefined)
})

test('also reads the user name of Basic', () => {
  assert.equal(basicUserOf(header(basic('home.example.com:svc_live_1'))), 'home.example.com')
  assert.equal(basicUserOf(header(basic(':svc_live_1'))), '')
  for (const headers of [{}, { authorization: 'Bearer svc_live_1' }, basic('no colon')])
    assert.equal(basicUserOf(header(headers)), undefined)
})
