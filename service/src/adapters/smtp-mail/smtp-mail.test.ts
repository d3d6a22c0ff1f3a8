import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createAuthority, type Mailbox, type MailboxOptions, startMailbox } from '@zonewright/sandbox'
import { MailGivenUp, type MailOutcome, type MailServer, type OutgoingMail } from '#ports/mail.ts'
import { createSmtpMail, type SmtpMailOptions } from './index.ts'
import { isPlainAddress } from './mail-address.ts'

const from = { name: 'Zonewright', address: 'support@example.net' }
const sent: MailOutcome = { failure: null, reply: null }

/** As if it were in the operating system's store of authorities. */
const authority = createAuthority('Tests of smtp-mail')
setDefaultCACertificates([...getCACertificates('default'), authority.cert])
const certificate = authority.issue(['localhost', '127.0.0.1'])

async function mailboxWith(access: Pick<MailboxOptions, 'tls' | 'login'> = {}): Promise<Mailbox> {
  const dataDir = await mkdtemp(join(tmpdir(), 'zonewright-smtp-mail-'))
  const made = await startMailbox({ dataDir, smtpListen: '127.0.0.1:0', httpListen: '127.0.0.1:0', ...access })
  after(async () => {
    await made.close()
    await rm(dataDir, { recursive: true })
  })
  return made
}

function mailTo(at: Mailbox | Server, options: Partial<SmtpMailOptions> = {}): MailServer {
  const port = 'smtpAddress' in at ? Number(at.smtpAddress.split(':')[1]) : (at.address() as AddressInfo).port
  const server = createSmtpMail({ host: '127.0.0.1', port, security: 'none', from, ...options })
  after(() => server.close())
  return server
}

let mails = 0
function mail(changes: Partial<OutgoingMail> = {}): OutgoingMail {
  mails += 1
  return {
    id: `mail_${mails}`,
    kind: 'key_created',
    to: 'ada@example.net',
    subject: 'Grüße',
    text: 'Hello,\n\n.\nfrom a line with a dot.\n',
    html: '<p>Hello</p>',
    date: new Date('2026-11-20T12:00:00Z'),
    ...changes,
  }
}

const mailbox = await mailboxWith()
const server = mailTo(mailbox)

test('an email arrives as given, from our address, with its own Message-ID and the given date', async () => {
  assert.deepEqual(await server.send(mail({ id: 'mail_abc' })), sent)
  const [came] = mailbox.folder.list()
  assert.ok(came)
  assert.deepEqual(
    [came.from, came.to, came.subject, came.date, came.message_id, came.html],
    [
      'Zonewright <support@example.net>',
      ['ada@example.net'],
      'Grüße',
      '2026-11-20T12:00:00.000Z',
      '<mail_abc@example.net>',
      '<p>Hello</p>\n',
    ],
  )
  assert.equal(came.text.trimEnd(), 'Hello,\n\n.\nfrom a line with a dot.')
  assert.deepEqual(came.headers['to'], ['ada@example.net'])
  assert.deepEqual(came.headers['auto-submitted'], ['auto-generated'])
  assert.deepEqual(came.headers['x-zonewright-mail'], ['key_created'])
})

test('a resent email has the same Message-ID and Date', async () => {
  mailbox.behaviours.set({ drop: true, times: 1 }, 'twice@example.net')
  const again = mail({ to: 'twice@example.net' })
  assert.deepEqual(await server.send(again), { failure: 'unreachable', reply: null })
  assert.deepEqual(await server.send(again), sent)
  const came = mailbox.folder.list({ to: 'twice@example.net' })
  assert.equal(came.length, 2, 'it is not repeated by itself')
  assert.equal(came[0]?.message_id, came[1]?.message_id)
  assert.equal(came[0]?.date, came[1]?.date)
})

test('neither the subject nor the address can inject a header', async () => {
  const subject = 'Hello\r\nBcc: spy@example.net\n\u2028\r\n\r\nBody'
  assert.deepEqual(await server.send(mail({ to: 'subject@example.net', subject })), sent)
  const [came] = mailbox.folder.list({ to: 'subject@example.net' })
  assert.equal(came?.subject, 'Hello Bcc: spy@example.net Body')
  assert.equal(came?.headers['bcc'], undefined)
  const before = mailbox.folder.list().length
  for (const to of hostileAddresses)
    assert.deepEqual(await server.send(mail({ to })), { failure: 'refused', reply: null }, JSON.stringify(to))
  assert.equal(mailbox.folder.list().length, before)
})

const hostileAddresses = [
  '',
  'ada',
  'ada@example.net, spy@example.net',
  'ada@example.net spy@example.net',
  'ada@example.net>\r\nRCPT TO:<spy@example.net',
  'Ada <ada@example.net>',
  '"spy@example.net> x"@example.net',
  'a@b@example.net',
  'group: ada@example.net;',
  'ada@example.net\n',
  'ada\0@example.net',
  `${'a'.repeat(250)}@example.net`,
]

test('accepts the address forms that people really use', () => {
  for (const text of ['ada@example.net', "o'brien+zones=1@sub.example.co.uk", 'jörg@bücher.example', 'x@[192.0.2.1]'])
    assert.equal(isPlainAddress(text), text !== 'x@[192.0.2.1]', text)
})

test('reports a permanently refused address with the server’s codes, never with its text', async () => {
  mailbox.behaviours.set({ refuse: 'recipient' }, 'gone@example.net')
  assert.deepEqual(await server.send(mail({ to: 'gone@example.net' })), { failure: 'refused', reply: '550 5.1.1' })
  mailbox.behaviours.set({ refuse: 'message', code: 554 }, 'spam@example.net')
  assert.deepEqual(await server.send(mail({ to: 'spam@example.net' })), { failure: 'refused', reply: '554 5.6.0' })
})

test('a busy server defers the email', async () => {
  mailbox.behaviours.set({ refuse: 'recipient', code: 450 }, 'busy@example.net')
  assert.deepEqual(await server.send(mail({ to: 'busy@example.net' })), { failure: 'deferred', reply: '450 4.2.1' })
  mailbox.behaviours.set({ refuse: 'message', code: 451 }, 'full@example.net')
  assert.equal((await server.send(mail({ to: 'full@example.net' }))).failure, 'deferred')
})

test('many emails share a few connections, and a refused one does not affect the next', async () => {
  const many = Array.from({ length: 20 }, (_, i) =>
    server.send(mail({ to: i % 4 === 0 ? 'gone@example.net' : 'many@example.net' })),
  )
  const failures = (await Promise.all(many)).map(({ failure }) => failure)
  assert.equal(failures.filter((failure) => failure === null).length, 15)
  assert.equal(mailbox.folder.list({ to: 'many@example.net' }).length, 15)
})

test('distinguishes a server that does not let us send from one that refuses the email', async () => {
  const closed = await mailboxWith({ login: { user: 'zw', password: 'right' } })
  const login = (password: string) => mailTo(closed, { login: { user: 'zw', password } })
  assert.deepEqual(await login('wrong').send(mail()), { failure: 'denied', reply: '535 5.7.8' })
  assert.equal((await mailTo(closed).send(mail())).failure, 'denied')
  assert.deepEqual(await login('right').send(mail()), sent)
  for (const code of [530, 557]) {
    mailbox.behaviours.set({ refuse: 'recipient', code, times: 1 }, 'relay@example.net')
    assert.equal((await server.send(mail({ to: 'relay@example.net' }))).failure, 'denied', `${code}`)
  }
  closed.behaviours.set({ refuse: 'sender' })
  assert.equal((await login('right').send(mail())).failure, 'denied')
})

test('verifies TLS, from the first byte and with STARTTLS', async () => {
  for (const security of ['tls', 'starttls'] as const) {
    const implicit = security === 'tls'
    const good = await mailboxWith({ tls: { ...certificate, implicit } })
    assert.deepEqual(await mailTo(good, { security }).send(mail()), sent, security)
    assert.equal(good.folder.list().length, 1)
    const wrongName = await mailboxWith({ tls: { ...authority.issue(['other.example.com']), implicit } })
    const stranger = await mailboxWith({ tls: { ...createAuthority('Nobody').issue(['127.0.0.1']), implicit } })
    for (const bad of [wrongName, stranger]) {
      assert.deepEqual(await mailTo(bad, { security }).send(mail()), { failure: 'tls', reply: null }, security)
      assert.equal(bad.folder.list().length, 0)
    }
  }
})

test('sends nothing without TLS if TLS is required', async () => {
  assert.equal((await mailTo(mailbox, { security: 'starttls' }).send(mail({ to: 'plain@example.net' }))).failure, 'tls')
  assert.equal((await mailTo(mailbox, { security: 'tls' }).send(mail({ to: 'plain@example.net' }))).failure, 'tls')
  assert.equal(mailbox.folder.list({ to: 'plain@example.net' }).length, 0)
})

/** A server that may send a greeting, and then handles everything that it receives with the given function. */
async function scripted(
  greet: (socket: Socket) => void,
  hear: (socket: Socket, text: string) => void = () => undefined,
) {
  const sockets = new Set<Socket>()
  const listening = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).setEncoding('utf8')
    socket.on('data', (text) => hear(socket, String(text)))
    greet(socket)
  })
  listening.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  after(() => {
    for (const socket of sockets) socket.destroy()
    listening.close()
  })
  return listening
}

test('a missing server, one that closes, one without SMTP and an unknown name are unreachable', async () => {
  const gone = await scripted(() => undefined)
  const { port } = gone.address() as AddressInfo
  gone.close()
  const at = (host: string) => createSmtpMail({ host, port, security: 'none', from })
  assert.deepEqual(await at('127.0.0.1').send(mail()), { failure: 'unreachable', reply: null })
  assert.deepEqual(await at('mail.invalid').send(mail()), { failure: 'unreachable', reply: null })
  const closing = await scripted((socket) => socket.end())
  assert.equal((await mailTo(closing).send(mail())).failure, 'unreachable')
  const garbage = await scripted((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  assert.equal((await mailTo(garbage).send(mail())).failure, 'unreachable')
})

test('a rejecting greeting counts as deferred if temporary, and as denied if permanent', async () => {
  const busy = await scripted((socket) => socket.end('421 4.3.2 not now\r\n'))
  assert.deepEqual(await mailTo(busy).send(mail()), { failure: 'deferred', reply: '421 4.3.2' })
  const never = await scripted((socket) => socket.end('554 5.7.1 we know you\r\n'))
  assert.deepEqual(await mailTo(never).send(mail()), { failure: 'denied', reply: '554 5.7.1' })
})

test('gives up on a server that is silent or answers drop by drop when the time for an email is over', async () => {
  const silent = await scripted(() => undefined)
  const dripping = await scripted(
    (socket) => socket.write('220 mail.test\r\n'),
    (socket) => {
      const drip = setInterval(() => socket.write('250-PATIENCE\r\n'), 50)
      socket.on('close', () => clearInterval(drip))
    },
  )
  for (const slow of [silent, dripping]) {
    const began = performance.now()
    assert.deepEqual(await mailTo(slow, { sendWithinMs: 500 }).send(mail()), { failure: 'timeout', reply: null })
    const tookMs = performance.now() - began
    assert.ok(tookMs > 450 && tookMs < 10_000, `${tookMs} ms`)
  }
})

test('an aborted email says nothing about the server, and the next one is sent', async () => {
  mailbox.behaviours.set({ delayMs: 5_000, times: 1 }, 'stop@example.net')
  const stopping = new AbortController()
  const given = server.send(mail({ to: 'stop@example.net', signal: stopping.signal }))
  setTimeout(() => stopping.abort(), 150)
  await assert.rejects(given, MailGivenUp)
  await assert.rejects(server.send(mail({ signal: stopping.signal })), MailGivenUp)
  assert.deepEqual(await server.send(mail()), sent)
})

test('closing aborts emails in progress', async () => {
  mailbox.behaviours.set({ delayMs: 60_000, times: 1 }, 'close@example.net')
  const closing = mailTo(mailbox)
  const began = performance.now()
  const under = closing.send(mail({ to: 'close@example.net' }))
  setTimeout(() => void closing.close(), 150)
  assert.equal((await under).failure, 'unreachable')
  assert.ok(performance.now() - began < 20_000, 'not after the minute that it hangs')
})
