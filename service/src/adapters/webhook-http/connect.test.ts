import assert from 'node:assert/strict'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { createServer, type TLSSocket, type TlsOptions } from 'node:tls'
import { createAuthority, createSelfSigned } from '@zonewright/sandbox'
import type { FailureWord, WebhookAnswer } from '#ports/webhook-http.ts'
import { startTestDns } from '#testing/test-dns.ts'
import { createTestAuthority, listen } from '#testing/webhook-http/test-receiver.ts'
import { createResolve, createWebhookHttp } from './index.ts'

// Why there is no connection to a receiver: DNS, network or TLS. Each kind has its failure word and its sentence.

const { authority, caFile } = await createTestAuthority('Trusted Root')
const dns = await startTestDns()
after(() => dns.close())

async function tlsReceiver(options: TlsOptions): Promise<number> {
  const server = createServer(options, (socket: TLSSocket) => {
    socket.on('error', () => undefined)
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
  })
  server.on('tlsClientError', () => undefined)
  return await listen(server)
}

/** Posts to `hooks.example.com`, which resolves to 127.0.0.1. */
async function post(port: number, host = 'hooks.example.com'): Promise<WebhookAnswer> {
  const http = client(port)
  try {
    return await http.post({ url: `https://${host}:${port}/`, headers: {}, body: Buffer.from('{}') })
  } finally {
    await http.close()
  }
}

function client(port: number) {
  return createWebhookHttp({
    trustedTargets: [`127.0.0.1:${port}`],
    caFile,
    resolve: createResolve([`${dns.address.host}:${dns.address.port}`]),
  })
}

const hosts = ['hooks.example.com']
const dayMs = 86_400_000
const inADay = new Date(Date.now() + dayMs)
const longAgo = new Date('2026-01-05T12:00:00Z')
const day = (date: Date): string => date.toISOString().slice(0, 10)
const intermediate = authority.issueAuthority('Trusted Intermediate')
const oldIntermediate = authority.issueAuthority('Old Intermediate', { validUntil: longAgo })
const stranger = createAuthority('Unknown Root')
const behind = intermediate.issue(hosts)
const behindOld = oldIntermediate.issue(hosts)
const byStranger = stranger.issue(hosts)
const good = authority.issue(hosts)
dns.set('hooks.example.com', 'A', ['127.0.0.1'])

const certificates: Readonly<Record<string, [options: TlsOptions, sentence: string | null]>> = {
  'a good one': [good, null],
  'a good one behind an intermediate': [{ ...behind, cert: behind.cert + intermediate.cert }, null],
  'one for a wildcard': [authority.issue(['*.example.com']), null],
  expired: [authority.issue(hosts, { validUntil: longAgo }), 'The certificate expired on 2026-01-05.'],
  'expired a moment ago': [
    authority.issue(hosts, { validUntil: new Date(Date.now() - 60_000) }),
    `The certificate expired on ${day(new Date(Date.now() - 60_000))}.`,
  ],
  'an expired intermediate': [
    { ...behindOld, cert: behindOld.cert + oldIntermediate.cert },
    'A certificate of the chain, "Old Intermediate", expired on 2026-01-05.',
  ],
  'not yet valid': [
    authority.issue(hosts, { validFrom: inADay }),
    `The certificate is not valid before ${day(inADay)}.`,
  ],
  'for another name': [authority.issue(['other.example.org']), 'The certificate is for other.example.org.'],
  'for two other names': [
    authority.issue(['a.example.org', 'b.example.org']),
    'The certificate is for a.example.org, b.example.org.',
  ],
  'for many other names': [
    authority.issue(['a', 'b', 'c', 'd', 'e'].map((label) => `${label}.example.org`)),
    'The certificate is for a.example.org, b.example.org, c.example.org and 2 more names.',
  ],
  'for an address': [authority.issue(['192.0.2.1']), 'The certificate is for 192.0.2.1.'],
  'for a wildcard above': [authority.issue(['*.hooks.example.com']), 'The certificate is for *.hooks.example.com.'],
  'for a name with control characters': [
    authority.issue(['a\u001b[2J.example.org']),
    'The certificate is for a\\x1b[2J.example.org.',
  ],
  'self-signed': [createSelfSigned(hosts), 'The certificate is self-signed.'],
  'from an unknown authority': [
    byStranger,
    'The certificate chain is incomplete or not trusted: the certificate of "Unknown Root" is missing. The receiver must send all intermediate certificates.',
  ],
  'from an unknown authority that is sent along': [
    { ...byStranger, cert: byStranger.cert + stranger.cert },
    'The certificate was issued by an authority that is not trusted, "Unknown Root".',
  ],
  'without its intermediate': [
    behind,
    'The certificate chain is incomplete or not trusted: the certificate of "Trusted Intermediate" is missing. The receiver must send all intermediate certificates.',
  ],
}

for (const [name, [options, sentence]] of Object.entries(certificates))
  test(`describes the certificate: ${name}`, async () => {
    const answer = await post(await tlsReceiver(options))
    assert.deepEqual([answer.failure, answer.failureDetail], [sentence === null ? null : 'tls', sentence])
  })

test('never resumes a session of a connection whose certificate was refused', async () => {
  const port = await tlsReceiver({ ...authority.issue(['other.example.org']), maxVersion: 'TLSv1.2' })
  const http = client(port)
  for (let i = 0; i < 3; i += 1) {
    const answer = await http.post({ url: `https://hooks.example.com:${port}/`, headers: {}, body: Buffer.from('{}') })
    assert.equal(answer.failureDetail, 'The certificate is for other.example.org.', `attempt ${i + 1}`)
  }
  await http.close()
})

const handshakes: Readonly<Record<string, [options: TlsOptions, sentence: RegExp]>> = {
  'only TLS 1.1': [
    { ...good, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
    /^The receiver supports no TLS version that the service does: it needs TLS 1\.2 or 1\.3\.$/,
  ],
  'only HTTP/2': [
    { ...good, ALPNProtocols: ['h2'] },
    /^The receiver does not offer HTTP\/1\.1 over TLS \(ALPN\); it may speak only HTTP\/2\.$/,
  ],
  'a client certificate is required': [
    { ...good, requestCert: true },
    /^The receiver asks for a client certificate, which the service does not have\.$/,
  ],
  'a client certificate is required, by TLS 1.2': [
    { ...good, requestCert: true, maxVersion: 'TLSv1.2' },
    /client certificate/,
  ],
  'no cipher in common': [
    { ...good, maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-GCM-SHA256' },
    /^The receiver ended the TLS handshake with "handshake failure"/,
  ],
}

for (const [name, [options, sentence]] of Object.entries(handshakes))
  test(`describes a failed TLS handshake: ${name}`, async () => {
    const answer = await post(await tlsReceiver(options))
    assert.equal(answer.failure, 'tls')
    assert.match(answer.failureDetail ?? '', sentence)
  })

const noTls: Readonly<Record<string, [act: (socket: Socket) => void, sentence: RegExp]>> = {
  'plain HTTP': [
    (socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    /^The receiver does not speak TLS on port \d+: what it sent is not TLS\.$/,
  ],
  'an SSH server': [(socket) => void socket.write('SSH-2.0-OpenSSH_9.6\r\n'), /does not speak TLS/],
  'an SMTP server': [(socket) => void socket.write('220 mail.example.org ESMTP\r\n'), /does not speak TLS/],
  'bytes of no protocol': [(socket) => void socket.write(Buffer.alloc(64, 0xff)), /does not speak TLS/],
  'a connection that is closed': [
    (socket) => void socket.once('data', () => socket.end()),
    /^The receiver closed the connection during the TLS handshake\.$/,
  ],
  'a connection that is reset': [
    (socket) => void socket.once('data', () => socket.resetAndDestroy()),
    /^The receiver closed the connection during the TLS handshake\.$/,
  ],
}

for (const [name, [act, sentence]] of Object.entries(noTls))
  test(`describes a port without TLS: ${name}`, async () => {
    const answer = await post(await listen(createTcpServer(act)))
    assert.equal(answer.failure, 'tls')
    assert.match(answer.failureDetail ?? '', sentence)
  })

test('reports a refused connection with the port', async () => {
  const server = createTcpServer()
  const port = await listen(server)
  server.close()
  await expect(post(port), 'connect', `hooks.example.com refused the connection (port ${port}).`)
})

test('if several addresses refuse, reports the first one’s reason', async () => {
  const server = createTcpServer()
  const port = await listen(server)
  server.close()
  dns.set('two.example.com', 'A', ['127.0.0.1', '127.0.0.2'])
  const http = createWebhookHttp({
    trustedTargets: [`127.0.0.1:${port}`, `127.0.0.2:${port}`],
    resolve: createResolve([`${dns.address.host}:${dns.address.port}`]),
  })
  const answer = http.post({ url: `https://two.example.com:${port}/`, headers: {}, body: Buffer.from('{}') })
  await expect(answer, 'connect', `two.example.com refused the connection (port ${port}).`)
  await http.close()
})

test('reports a name without an address, and one whose lookup fails', async () => {
  await expect(
    post(1, 'gone.example.com'),
    'dns',
    'gone.example.com has no address: the DNS has no A or AAAA record for it.',
  )
  dns.mode = 'servfail'
  try {
    await expect(post(1), 'dns', 'The DNS lookup of hooks.example.com failed: the answer was SERVFAIL.')
  } finally {
    dns.mode = 'good'
  }
})

test('reports that an address is not public, but not which address', async () => {
  dns.set('inside.example.com', 'A', ['10.1.2.3'])
  await expect(post(1, 'inside.example.com'), 'refused_address', 'The address is not public.')
  await expect(post(1, '192.168.0.1'), 'refused_address', 'The address is not public.')
})

async function expect(answer: Promise<WebhookAnswer>, word: FailureWord, sentence: string): Promise<void> {
  const { failure, failureDetail } = await answer
  assert.deepEqual([failure, failureDetail], [word, sentence])
}
