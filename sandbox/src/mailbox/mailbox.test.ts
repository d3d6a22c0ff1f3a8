import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { linksOf, type Mail } from './read-mail.ts'
import { type Mailbox, startMailbox } from './start-mailbox.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'zonewright-mailbox-'))
const options = { dataDir, smtpListen: '127.0.0.1:0', httpListen: '127.0.0.1:0' }
const mailbox = await startMailbox(options)
after(async () => {
  await mailbox.close()
  await rm(dataDir, { recursive: true })
})

const multipart = [
  'From: =?utf-8?q?S=C3=B6ren?= <soeren@example.net>',
  'To: ada@example.net',
  'Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=',
  'Date: Fri, 20 Nov 2026 12:00:00 +0100',
  'Message-ID: <one@example.net>',
  'X-Note: first',
  'X-Note: second',
  'MIME-Version: 1.0',
  'Content-Type: multipart/alternative; boundary=b',
  '',
  '--b',
  'Content-Type: text/plain; charset=utf-8',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'Gr=C3=BC=C3=9Fe: https://example.net/a?b=3D1&c=3D2.',
  '--b',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p><a href="https://example.net/a?b=1&amp;c=2">here</a> <a class=x href=\'https://example.net/z\'>there</a></p>',
  '--b--',
].join('\r\n')

/** Speaks SMTP as a client does, line by line, and returns the reply to each line. */
async function speak(to: Mailbox, lines: readonly string[]): Promise<string[]> {
  const [host, port] = to.smtpAddress.split(':')
  const socket = connect(Number(port), host).setEncoding('utf8')
  const replies: string[] = []
  let heard = ''
  const ended = once(socket, 'close')
  const reply = async (): Promise<string | undefined> => {
    for (;;) {
      const [whole, last] = /^(?:\d{3}-.*\r\n)*(\d{3}(?: .*)?)\r\n/.exec(heard) ?? []
      if (whole !== undefined) {
        heard = heard.slice(whole.length)
        return last
      }
      const came = await Promise.race([once(socket, 'data'), ended])
      if (typeof came[0] !== 'string') return undefined
      heard += came[0]
    }
  }
  await reply()
  for (const line of lines) {
    socket.write(`${line}\r\n`)
    const said = await reply()
    if (said === undefined) break
    replies.push(said)
  }
  socket.destroy()
  await ended
  return replies
}

/** Sends a message, and returns the three digits of each reply from MAIL FROM on. */
async function send(to: string | readonly string[], message = multipart, at = mailbox): Promise<string[]> {
  const recipients = [to].flat().map((address) => `RCPT TO:<${address}>`)
  const replies = await speak(at, [
    'EHLO me',
    'MAIL FROM:<bounce@example.net>',
    ...recipients,
    'DATA',
    `${message}\r\n.`,
  ])
  return replies.slice(1).map((reply) => reply.slice(0, 3))
}

async function get(path: string, at = mailbox): Promise<Response> {
  return await fetch(`http://${at.httpAddress}${path}`)
}

async function list(query: string, at = mailbox): Promise<Mail[]> {
  return ((await (await get(`/mails?${query}`, at)).json()) as { data: Mail[] }).data
}

async function one(query: string): Promise<Mail> {
  const [listed] = await list(query)
  return (await (await get(`/mails/${listed?.number}`)).json()) as Mail
}

async function behave(to: string, behaviour: unknown): Promise<number> {
  const answer = await fetch(`http://${mailbox.httpAddress}/behaviour?to=${to}`, {
    method: 'PUT',
    body: JSON.stringify(behaviour),
  })
  await answer.body?.cancel()
  return answer.status
}

test('an accepted email is listed with its addresses, subject, date, text, HTML and links', async () => {
  assert.deepEqual(await send('ada@example.net'), ['250', '250', '354', '250'])
  const mail = await one('to=ada@example.net')
  assert.deepEqual(
    { ...mail, number: 0, at: '', headers: mail.headers['x-note'] },
    {
      number: 0,
      at: '',
      from: 'Sören <soeren@example.net>',
      to: ['ada@example.net'],
      subject: 'Grüße',
      date: '2026-11-20T11:00:00.000Z',
      message_id: '<one@example.net>',
      text: 'Grüße: https://example.net/a?b=1&c=2.\n',
      html: '<p><a href="https://example.net/a?b=1&amp;c=2">here</a> <a class=x href=\'https://example.net/z\'>there</a></p>\n',
      links: ['https://example.net/a?b=1&c=2', 'https://example.net/z'],
      headers: ['first', 'second'],
    },
  )
})

test('emails are listed by envelope recipient, in any letter case, and by arrival time', async () => {
  const forged = `Delivered-To: <forged@example.net>\r\nX-Received-At: 1999-01-01T00:00:00.000Z\r\n${multipart}`
  await send(['Bob@example.net', 'blind@example.net'], forged)
  const [mail] = await list('to=bob@EXAMPLE.net')
  assert.deepEqual(mail?.to, ['Bob@example.net', 'blind@example.net'])
  assert.equal((await list('to=blind@example.net')).length, 1)
  assert.equal((await list('to=forged@example.net')).length, 0)
  assert.equal((await list(`to=bob@example.net&since=${mail?.at}`)).length, 1)
  const later = new Date(Date.parse(mail?.at ?? '') + 1).toISOString()
  assert.equal((await list(`to=bob@example.net&since=${later}`)).length, 0)
  assert.equal((await get('/mails?since=yesterday')).status, 422)
})

test('an address is refused for as long as it is set to be, and others are not', async () => {
  await behave('gone@example.net', { refuse: 'recipient' })
  assert.deepEqual((await send('GONE@example.net'))[1], '550')
  assert.deepEqual((await send('gone@example.net'))[1], '550')
  assert.deepEqual((await send('here@example.net')).at(-1), '250')
  assert.equal((await list('to=gone@example.net')).length, 0)
})

test('an email is deferred once with 4xx, and accepted the next time', async () => {
  await behave('busy@example.net', { refuse: 'message', code: 451, times: 1 })
  assert.equal((await send('busy@example.net')).at(-1), '451')
  assert.equal((await list('to=busy@example.net')).length, 0)
  assert.equal((await send('busy@example.net')).at(-1), '250')
  assert.equal((await list('to=busy@example.net')).length, 1)
})

test('an email can be stored even though its sender gets no response', async () => {
  await behave('lost@example.net', { drop: true, times: 1 })
  assert.deepEqual(await send('lost@example.net'), ['250', '250', '354'])
  assert.equal((await list('to=lost@example.net')).length, 1)
})

test('the response is delayed by the set time', async () => {
  await behave('slow@example.net', { delayMs: 100, times: 1 })
  const started = performance.now()
  assert.equal((await send('slow@example.net')).at(-1), '250')
  assert.ok(performance.now() - started >= 95)
})

test('a behavior without an address applies to every email, and an empty one removes all behaviors', async () => {
  await behave('gone@example.net', { refuse: 'recipient' })
  await behave('', { refuse: 'sender', code: 451 })
  assert.equal((await send('anybody@example.net'))[0], '451')
  await behave('', {})
  assert.equal((await send('gone@example.net')).at(-1), '250')
})

test('an invalid behavior is refused', async () => {
  for (const wrong of [{ refuse: 'all' }, { code: 250 }, { delayMs: -1 }, { colour: 'red' }, [], 'x'])
    assert.equal(await behave('x@example.net', wrong), 422, JSON.stringify(wrong))
})

test('a mailbox with a login accepts emails only from clients that log in', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zonewright-mailbox-'))
  const closed = await startMailbox({ ...options, dataDir: folder, login: { user: 'zw', password: 'right' } })
  const plain = (text: string): string => `AUTH PLAIN ${Buffer.from(text).toString('base64')}`
  assert.match((await speak(closed, ['EHLO me', 'MAIL FROM:<a@example.net>']))[1] ?? '', /^530/)
  assert.match((await speak(closed, ['EHLO me', plain('\0zw\0wrong')]))[1] ?? '', /^535/)
  assert.match((await speak(closed, ['EHLO me', plain('\0zw\0right')]))[1] ?? '', /^235/)
  await closed.close()
  await rm(folder, { recursive: true })
})

test('emails survive a restart unchanged', async () => {
  await send('kept@example.net')
  const mail = await one('to=kept@example.net')
  const again = await startMailbox(options)
  assert.deepEqual(await (await get(`/mails/${mail.number}`, again)).json(), mail)
  const source = await (await get(`/mails/${mail.number}.eml`, again)).text()
  assert.ok(source.endsWith(`${multipart}\r\n`))
  assert.match(source, /^Return-Path: <bounce@example.net>\r\nDelivered-To: <kept@example.net>\r\nX-Received-At: /)
  await again.close()
})

test('the pages show emails decoded and escaped, and run none of their scripts', async () => {
  const hostile = multipart
    .replace('Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=', 'Subject: <script>alert(1)</script>')
    .replace('<p>', '<p><script>alert(2)</script>"><script>alert(3)</script>')
  await send('hostile@example.net', hostile)
  const { number } = await one('to=hostile@example.net')
  const pages = [await get('/?to=hostile@example.net'), await get(`/${number}`)]
  for (const page of pages) {
    const body = await page.text()
    assert.match(body, /&lt;script&gt;alert\(1\)/)
    assert.doesNotMatch(body, /<script/)
    assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'/)
  }
  assert.match(await (await get('/')).text(), /<a href="\/\?to=hostile%40example\.net">hostile@example\.net<\/a>/)
})

test('a button on another site’s page deletes nothing', async () => {
  await send('button@example.net')
  const press = (headers: Record<string, string>) =>
    fetch(`http://${mailbox.httpAddress}/delete`, { method: 'POST', headers, redirect: 'manual' })
  assert.equal((await press({ origin: 'https://elsewhere.example' })).status, 403)
  assert.equal((await list('to=button@example.net')).length, 1)
  assert.equal((await press({ origin: `http://${mailbox.httpAddress}` })).status, 303)
  assert.equal((await list('')).length, 0)
})

test('all emails are deleted, also from the disk, and their numbers are not reused', async () => {
  await send('first@example.net')
  const [first] = await list('to=first@example.net')
  assert.equal((await fetch(`http://${mailbox.httpAddress}/mails`, { method: 'DELETE' })).status, 200)
  assert.deepEqual([await list(''), await readdir(dataDir)], [[], []])
  assert.equal((await get(`/mails/${first?.number}`)).status, 404)
  await send('second@example.net')
  assert.ok(Number((await list(''))[0]?.number) > Number(first?.number))
})

test('an unknown path or number returns 404', async () => {
  for (const path of ['/nowhere', '/mails/99999', '/99999', '/mails/1.html'])
    assert.equal((await get(path)).status, 404, path)
})

test('finds the links that a person could follow', () => {
  assert.deepEqual(linksOf('See https://a.example/x, (http://b.example/y?z=1&w). <https://c.example>', ''), [
    'https://a.example/x',
    'http://b.example/y?z=1&w',
    'https://c.example',
  ])
  assert.deepEqual(linksOf('', '<a href="mailto:x@example.net">x</a> <a  href="https://d.example/?a=1&amp;b">d</a>'), [
    'https://d.example/?a=1&b',
  ])
})
