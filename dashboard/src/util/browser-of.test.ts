import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserOf } from './browser-of.ts'

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test('a browser is shown under its common name, although its user agent also claims to be others', () => {
  for (const [userAgent, said] of [
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/131.0 Safari/537.36 Edg/131.0`, 'Edge on Windows'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${webKit} Chrome/131.0 Safari/537.36 OPR/116.0`, 'Opera on Linux'],
    [`Mozilla/5.0 (Linux; Android 14) ${webKit} Chrome/131.0 Mobile Safari/537.36`, 'Chrome on Android'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox on Mac OS'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Safari/604.1', 'Safari on iPhone'],
    ['Mozilla/5.0 (iPad; CPU OS 18_1 like Mac OS X) Version/18.1 Safari/604.1', 'Safari on iPad'],
    ['Firefox/132.0', 'Firefox'],
    ['curl/8.5.0', 'curl/8.5.0'],
    ['SafariBot (Linux)', 'SafariBot (Linux)'],
  ] as const)
    assert.equal(browserOf(userAgent), said)
})

test('a missing user agent is unknown, and a long one is truncated', () => {
  assert.match(browserOf(''), /unknown/)
  assert.equal(browserOf('x'.repeat(61)), 'x'.repeat(60))
})
