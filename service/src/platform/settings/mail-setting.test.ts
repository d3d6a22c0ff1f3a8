import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMailFrom, parseSmtpUrl } from './mail-setting.ts'

const security = (url: string): string | undefined => parseSmtpUrl(url)?.security

test('an SMTP server is reached over TLS, and the default port is that of the protocol', () => {
  assert.deepEqual(parseSmtpUrl('smtps://smtp.example.net'), {
    host: 'smtp.example.net',
    port: 465,
    security: 'tls',
    login: undefined,
  })
  assert.deepEqual(parseSmtpUrl('smtp://zw%40example.net:p%2Fw%3A@[2001:db8::1]:2525/'), {
    host: '2001:db8::1',
    port: 2525,
    security: 'starttls',
    login: { user: 'zw@example.net', password: 'p/w:' },
  })
  assert.equal(parseSmtpUrl('smtp://smtp.example.net')?.port, 587)
})

test('without TLS, emails are sent only to this machine, or where the setting allows it', () => {
  for (const url of ['smtp://127.0.0.1:2525', 'smtp://localhost', 'smtp://[::1]', 'smtp://relay.internal?tls=off'])
    assert.equal(security(url), 'none', url)
  for (const url of [
    'smtp://127.0.0.1?tls=on',
    'smtp://relay.internal',
    'smtp://127.0.0.1.example.net',
    'smtp://10.0.0.1',
  ])
    assert.equal(security(url), 'starttls', url)
})

test('an empty SMTP_URL is not a fault, and a wrong one is reported without being quoted', () => {
  assert.equal(parseSmtpUrl(''), undefined)
  for (const url of [
    'smtp.example.net',
    'http://smtp.example.net',
    'smtp://',
    'smtp://hunter2:hunter2@',
    'smtp://smtp.example.net/hunter2',
    'smtp://smtp.example.net#hunter2',
    'smtp://smtp.example.net?tls=hunter2',
    'smtp://smtp.example.net?tls.rejectUnauthorized=false&hunter2',
    'smtps://smtp.example.net?tls=off',
    'smtp://zw:hunter2%@smtp.example.net',
    'smtp://smtp.example.net:99999',
  ])
    assert.throws(
      () => parseSmtpUrl(url),
      (error: Error) => !error.message.includes('hunter2'),
      url,
    )
})

test('emails are sent from one address, with or without a name', () => {
  assert.deepEqual(parseMailFrom('Zonewright <support@example.net>'), {
    name: 'Zonewright',
    address: 'support@example.net',
  })
  assert.deepEqual(parseMailFrom(' support@example.net '), { name: '', address: 'support@example.net' })
  assert.deepEqual(parseMailFrom('<support@example.net>'), { name: '', address: 'support@example.net' })
  assert.equal(parseMailFrom('Büro <post@bücher.example>').address, 'post@xn--bcher-kva.example')
  for (const text of [
    '',
    'support',
    'support@',
    'a@example.net, b@example.net',
    'Zonewright <a@example.net>, b@example.net',
    'Zone\nBcc: x@example.net <a@example.net>',
    'Zonewright <a@example.net\r\nBcc: b@example.net>',
    'Zonewright <a b@example.net>',
    'Zonewright <ä@example.net>',
    `${'x'.repeat(65)}@example.net`,
  ])
    assert.throws(() => parseMailFrom(text), /is not an address such as/, JSON.stringify(text))
})
