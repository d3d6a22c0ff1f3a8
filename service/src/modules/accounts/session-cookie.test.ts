import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { makeSignature } from 'better-auth/crypto'
import { AuthSecrets } from './auth-secrets.ts'
import { signedAgain, signedSession } from './session-cookie.ts'

const key = randomBytes(32)
const secrets = new AuthSecrets(key)
const tokenOf = signedSession(secrets, 'http://dashboard.test')

/** The cookie that better-auth sets: `token.signature`, in percent-encoding. */
const cookieOf = async (token: string, signer = secrets.current): Promise<string> =>
  encodeURIComponent(`${token}.${await makeSignature(token, signer)}`)

test('recognizes better-auth’s session cookie by its signature, anywhere in the header', async () => {
  const cookie = await cookieOf('abc.def')
  for (const header of [
    `zonewright.session_token=${cookie}`,
    `theme=dark; zonewright.session_token=${cookie}`,
    `theme=dark;zonewright.session_token=${cookie}; other=1`,
    `  zonewright.session_token = ${cookie} ;x=y`,
  ])
    assert.equal(tokenOf(header), 'abc.def', header)
  const secure = signedSession(secrets, 'https://dns.example.net')
  assert.equal(secure(`__Secure-zonewright.session_token=${cookie}`), 'abc.def')
  assert.equal(secure(`zonewright.session_token=${cookie}`), undefined)
})

test('a cookie that is forged, truncated or from another site is not a session', async () => {
  const cookie = await cookieOf('abc')
  const bare = decodeURIComponent(cookie)
  for (const header of [
    undefined,
    '',
    'zonewright.session_token=',
    'zonewright.session_token=abc',
    'zonewright.session_token=abc.',
    `zonewright.session_token=${cookie.slice(0, -1)}`,
    `zonewright.session_token=${cookie.replace('abc', 'abd')}`,
    `zonewright.session_token=${await cookieOf('abc', 'another secret')}`,
    `zonewright.session_token=.${bare.split('.')[1]}`,
    `xzonewright.session_token=${cookie}`,
    `zonewrightXsession_token=${cookie}`,
    `zonewright.session_token=%E0%A4%A; a=b`,
    `zonewright.session_token=${'x'.repeat(100_000)}.${bare.split('.')[1]}`,
    `zonewright.session_token=forged; zonewright.session_token=${cookie}`,
    ';'.repeat(16_000),
    '='.repeat(16_000),
  ])
    assert.equal(tokenOf(header), undefined, String(header).slice(0, 60))
})

test('during a key rotation, accepts cookies signed with the old key and re-signs them for better-auth', async () => {
  const cookie = await cookieOf('abc')
  const during = new AuthSecrets(randomBytes(32), key)
  const header = `zonewright.session_token=${cookie}`
  assert.equal(signedSession(during, 'http://dashboard.test')(header), 'abc')
  assert.equal(signedSession(new AuthSecrets(randomBytes(32)), 'http://dashboard.test')(header), undefined)
  const forged = `forged=abc.${'A'.repeat(43)}=`
  const request = new Request('http://dashboard.test', {
    method: 'POST',
    body: 'kept',
    headers: { cookie: `theme=dark; ${header}; zonewright.two_factor=${cookie}; ${forged}` },
  })
  const again = signedAgain(request, during)
  const ours = await cookieOf('abc', during.current)
  assert.equal(
    again.headers.get('cookie'),
    `theme=dark; zonewright.session_token=${ours}; zonewright.two_factor=${ours}; ${forged}`,
  )
  assert.equal(await again.text(), 'kept')
  assert.equal(signedAgain(again, secrets), again)
})
