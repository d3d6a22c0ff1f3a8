import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brokenSentence, connectSentence, lookUpSentence } from './connect-sentences.ts'
import { quoted, shownText } from './failure.ts'
import { readTarget, type Target } from './guard.ts'
import { handshakeSentence } from './tls-sentences.ts'

// Sentences for codes of the operating system, the resolver and OpenSSL that a real network does not produce here.

const target = readTarget('https://hooks.example.com/', new Set()) as Target

function failing(code: string): Error {
  return Object.assign(new Error(code), { code })
}

const connections: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'hooks.example.com refused the connection (port 443).',
  ECONNRESET: 'hooks.example.com reset the connection before the TLS handshake (port 443).',
  EHOSTUNREACH: 'hooks.example.com is unreachable: there is no route to the host (port 443).',
  ENETUNREACH: 'hooks.example.com is unreachable: there is no route to its network (port 443).',
  EHOSTDOWN: 'hooks.example.com is unreachable: the host is down (port 443).',
  ETIMEDOUT: 'hooks.example.com did not accept a connection in time (port 443).',
  EACCES: 'hooks.example.com is unreachable: the network forbids the connection (port 443).',
  EMFILE: 'hooks.example.com could not be reached (EMFILE) (port 443).',
}

test('each reason for a missing TCP connection has its sentence', () => {
  for (const [code, sentence] of Object.entries(connections)) {
    assert.equal(connectSentence(target, failing(code)), sentence)
    const several = new AggregateError([failing(code), failing('ENETUNREACH')])
    assert.equal(connectSentence(target, several), sentence, 'with several addresses, the first one’s')
  }
  assert.equal(connectSentence(target, new Error('odd')), 'hooks.example.com could not be reached (port 443).')
})

test('each reason for a failed lookup of a name has its sentence', () => {
  for (const [code, sentence] of Object.entries({
    ETIMEOUT: 'The DNS servers for hooks.example.com did not answer in time.',
    ESERVFAIL: 'The DNS lookup of hooks.example.com failed: the answer was SERVFAIL.',
    EREFUSED: 'The DNS lookup of hooks.example.com failed: the answer was REFUSED.',
    EFORMERR: 'The DNS lookup of hooks.example.com failed.',
  }))
    assert.equal(lookUpSentence('hooks.example.com', failing(code)), sentence)
})

test('each end of a connection has its sentence, before and within the response', () => {
  for (const [error, hasBegun, sentence] of [
    [undefined, false, 'The receiver closed the connection without answering.'],
    [undefined, true, 'The receiver closed the connection in the middle of the response headers.'],
    [failing('ECONNRESET'), false, 'The receiver reset the connection without answering.'],
    [failing('EPIPE'), true, 'The receiver reset the connection in the middle of the response headers.'],
    [failing('EHOSTUNREACH'), false, 'The connection to the receiver broke (EHOSTUNREACH) before it answered.'],
    [
      failing('ETIMEDOUT'),
      true,
      'The connection to the receiver broke (ETIMEDOUT) in the middle of the response headers.',
    ],
  ] as const)
    assert.equal(brokenSentence(error, hasBegun), sentence)
})

test('each failure of a TLS handshake has its sentence, and an unknown one includes its code', () => {
  for (const [code, sentence] of [
    ['ERR_SSL_WRONG_VERSION_NUMBER', /^The receiver does not speak TLS on port 443/],
    ['ERR_SSL_PACKET_LENGTH_TOO_LONG', /^The receiver does not speak TLS on port 443/],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', /needs TLS 1\.2 or 1\.3\.$/],
    ['ERR_SSL_UNSUPPORTED_PROTOCOL', /needs TLS 1\.2 or 1\.3\.$/],
    ['ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL', /may speak only HTTP\/2\.$/],
    ['ERR_SSL_TLSV1_UNRECOGNIZED_NAME', /^The receiver does not know the name hooks\.example\.com\.$/],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', /asks for a client certificate/],
    ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', /"handshake failure"/],
    ['ERR_SSL_DH_KEY_TOO_SMALL', /^The key exchange of the receiver is too weak/],
    ['ERR_SSL_SOMETHING_NEW', /^The TLS connection failed \(ERR_SSL_SOMETHING_NEW\)\.$/],
    ['EPROTO', /^The TLS handshake failed \(EPROTO\)\.$/],
    ['ECONNRESET', /^The receiver closed the connection during the TLS handshake\.$/],
  ] as const)
    assert.match(handshakeSentence(target, failing(code)), sentence)
})

test('received text is shown in printable ASCII and truncated', () => {
  assert.equal(quoted('a"b\\c\r\n\t\0'), '"a\\"b\\\\c\\x0d\\x0a\\x09\\x00"')
  assert.equal(shownText('\xe2\x80\xae'), '\\xe2\\x80\\xae')
  for (const length of [119, 120, 121, 5_000]) assert.ok(shownText('x'.repeat(length)).length <= 120)
  assert.equal(shownText('x'.repeat(119)), 'x'.repeat(119))
  assert.ok(shownText('\x80'.repeat(500)).length <= 120)
})

test('truncates a host name that is too long for a sentence', () => {
  const long = readTarget(
    `https://${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example.com/`,
    new Set(),
  ) as Target
  assert.ok(connectSentence(long, failing('ECONNREFUSED')).length < 200)
  assert.ok(lookUpSentence(long.host, failing('ESERVFAIL')).length < 200)
})
