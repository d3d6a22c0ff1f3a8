import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { after, beforeEach, test } from 'node:test'
import { startMailbox } from '@zonewright/sandbox'
import { pino } from 'pino'
import { createSmtpMail } from '#adapters/smtp-mail/index.ts'
import { createMetrics } from '#platform/figures/metrics.ts'
import { createLogger, type Logger } from '#platform/log.ts'
import { type Database, openDatabase, sql, Wake } from '#platform/postgres/index.ts'
import { SecretBox } from '#platform/secrets.ts'
import type { MailServer } from '#ports/mail.ts'
import { eventually } from '#testing/eventually.ts'
import { figuresOf } from '#testing/figures.ts'
import { installTestClock } from '#testing/platform/test-clock.ts'
import { cloneDatabase, connectWithinMs } from '#testing/platform/test-database.ts'
import { runJob } from '#testing/run-job.ts'
import { tcpProxy } from '#testing/tcp-proxy.ts'
import { mailJobs, passwordChanged, queueMail, resetPassword, startMails } from './index.ts'
import { mailFigures } from './queue-figures.ts'
import { claimMails, recordFailure, recordSent } from './store.ts'

const silent = createLogger('test', 'silent')
const { url } = await cloneDatabase()
const wake = new Wake(url, silent)
await wake.start()
const database = openDatabase(url, { application: 'zonewright test', wake, connectWithinMs })
const clock = await installTestClock(database.db)
const secrets = new SecretBox(randomBytes(32))
const dataDir = await mkdtemp(join(tmpdir(), 'zonewright-mails-'))
const mailbox = await startMailbox({ dataDir, smtpListen: '127.0.0.1:0', httpListen: '127.0.0.1:0' })
const running = new Set<{ stop(): Promise<void> }>()
after(async () => {
  await Promise.all([...running].map((each) => each.stop()))
  await wake.close()
  await database.close()
  await mailbox.close()
  await rm(dataDir, { recursive: true })
})
beforeEach(async () => {
  await Promise.all([...running].map((each) => each.stop()))
  running.clear()
  await sql`delete from mails`.execute(database.db)
  await mailbox.folder.clear()
  mailbox.behaviours.set({})
})

function smtp(port = Number(mailbox.smtpAddress.split(':')[1])): MailServer {
  const from = { name: 'Zonewright', address: 'support@example.net' }
  const server = createSmtpMail({ host: '127.0.0.1', port, security: 'none', from })
  after(() => server.close())
  return server
}

/** Starts sending. If the test does not stop it, it is stopped at the end. */
function start(options: { server?: MailServer; log?: Logger; secrets?: SecretBox; database?: Database } = {}) {
  const metrics = createMetrics()
  const started = startMails({
    database,
    wake,
    log: silent,
    metrics,
    secrets,
    server: smtp(),
    serviceName: 'Ngozi DNS',
    ...options,
  })
  running.add(started)
  return { ...started, metrics }
}

const site = 'https://dns.example.net'
const message = passwordChanged({ site, address: 'ada@example.net', at: new Date(), from: '192.0.2.7' })
const queue = (to: string, once?: string): Promise<string | null> =>
  database.transact((tx) => queueMail(tx, secrets, { to, message, once }))

interface Row {
  state: 'waiting' | 'sent' | 'given up'
  attempts: number
  failure: string | null
  reply: string | null
  /** Seconds from now until the next attempt. */
  due_in: number | null
  is_known: boolean
}

async function rowOf(to: string): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select case when sent_at is not null then 'sent' when due_at is null then 'given up' else 'waiting' end as state,
      attempts, failure, reply, extract(epoch from due_at - app_now())::float8 as due_in, content is not null as is_known
    from mails where to_address = ${to}`.execute(database.db)
  return rows[0]
}

/** Moves time forward, without waiting for the sweep. */
async function pass(interval: string): Promise<void> {
  await clock.pass(interval)
  wake.tell('mails_due')
}

const came = (to: string) => mailbox.folder.list({ to })

async function until(to: string, state: Row['state'], attempts = 1): Promise<Row> {
  return await eventually(`the mail to ${to} is ${state} after ${attempts} attempts`, async () => {
    const row = await rowOf(to)
    return row?.state === state && row.attempts === attempts ? row : undefined
  })
}

test('an email is sent after its transaction commits, and its content is then deleted', async () => {
  start()
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const { promise: queued, resolve: isQueued } = Promise.withResolvers<void>()
  const committing = database.transact(async (tx) => {
    await queueMail(tx, secrets, { to: 'ada@example.net', message })
    isQueued()
    await held
  })
  await queued
  await queue('other@example.net')
  await until('other@example.net', 'sent')
  assert.deepEqual(came('ada@example.net'), [])
  release()
  await committing
  const row = await until('ada@example.net', 'sent')
  assert.deepEqual([row.is_known, row.due_in, row.failure], [false, null, null])
  const [mail] = came('ada@example.net')
  assert.equal(mail?.subject, message.subject)
  assert.equal(mail?.text.trimEnd(), message.text.trimEnd().replace(/Zonewright$/, 'Ngozi DNS'))
  assert.match(mail?.message_id ?? '', /^<mail_[0-9a-f]{32}@example\.net>$/)
})

test('an email is never sent if its transaction fails', async () => {
  start()
  await assert.rejects(
    database.transact(async (tx) => {
      await queueMail(tx, secrets, { to: 'never@example.net', message })
      throw new Error('undone')
    }),
    /undone/,
  )
  await queue('later@example.net')
  await until('later@example.net', 'sent')
  assert.deepEqual([came('never@example.net'), await rowOf('never@example.net')], [[], undefined])
})

test('writes only the first of several emails about the same thing, also in concurrent transactions', async () => {
  const written = await Promise.all(Array.from({ length: 4 }, () => queue('once@example.net', 'key_expiring key_1 14')))
  assert.equal(written.filter((id) => id === null).length, 3)
  assert.equal(await queue('once@example.net', 'key_expiring key_1 14'), null)
  assert.notEqual(await queue('once@example.net', 'key_expiring key_1 3'), null)
  start()
  await eventually('both are sent', () => came('once@example.net').length === 2)
})

test('neither the link nor the text of a queued email can be read in the database', async () => {
  const link = `${site}/app/reset?token=hunter2hunter2`
  const reset = resetPassword({ address: 'sealed@example.net', link, validForS: 3_600 })
  await database.transact((tx) => queueMail(tx, secrets, { to: 'sealed@example.net', message: reset }))
  const { rows } = await sql<{ row: string; raw: string }>`
    select row_to_json(mails)::text as row, encode(content, 'escape') as raw from mails`.execute(database.db)
  assert.doesNotMatch(JSON.stringify(rows), /hunter2|asked for a new password/)
  start()
  await until('sealed@example.net', 'sent')
  assert.deepEqual(came('sealed@example.net')[0]?.links, [link])
})

test('a deferred email is retried with growing delays, and its row says why', async () => {
  const { metrics } = start()
  mailbox.behaviours.set({ refuse: 'message', code: 451, times: 2 }, 'busy@example.net')
  await queue('busy@example.net')
  const first = await until('busy@example.net', 'waiting')
  assert.deepEqual([first.failure, first.reply, first.is_known], ['deferred', '451 4.3.0', true])
  assert.ok(Number(first.due_in) > 10 && Number(first.due_in) <= 15, `${first.due_in} s`)
  await pass('15 s')
  const second = await until('busy@example.net', 'waiting', 2)
  assert.equal(
    await figuresOf(database.db, mailFigures)('mail_oldest_waiting_seconds'),
    0,
    'nobody here can do anything',
  )
  assert.ok(Number(second.due_in) > 40 && Number(second.due_in) <= 45, `${second.due_in} s`)
  await pass('45 s')
  assert.equal((await until('busy@example.net', 'sent', 3)).failure, null)
  assert.equal(came('busy@example.net').length, 1)
  const figures = await metrics.metrics()
  assert.match(figures, /mail_attempts_total\{outcome="deferred"\} 2/)
  assert.match(figures, /mail_attempts_total\{outcome="sent"\} 1/)
})

test('an email that is refused permanently is given up immediately, and its content is deleted', async () => {
  start()
  mailbox.behaviours.set({ refuse: 'recipient' }, 'gone@example.net')
  await queue('gone@example.net')
  const row = await until('gone@example.net', 'given up')
  assert.deepEqual([row.failure, row.reply, row.is_known], ['refused', '550 5.1.1', false])
})

test('no email is lost while the mail server is down for hours; after two days, an email is given up', async () => {
  const nobody = smtp(1)
  start({ server: nobody })
  await queue('patient@example.net')
  await until('patient@example.net', 'waiting')
  const waitsS: number[] = []
  const figure = figuresOf(database.db, mailFigures)
  for (
    let row = await rowOf('patient@example.net');
    row?.state === 'waiting';
    row = await rowOf('patient@example.net')
  ) {
    assert.equal(row.failure, 'unreachable')
    waitsS.push(Number(row.due_in))
    assert.equal(await figure('mail_oldest_due_seconds'), 0)
    const waitedS = waitsS.slice(0, -1).reduce((sum, wait) => sum + wait, 0)
    assert.ok((await figure('mail_oldest_waiting_seconds')) >= waitedS, `${waitedS} s`)
    await pass(`${Math.ceil(Number(row.due_in))} s`)
    const attempts = row.attempts + 1
    await eventually('it is tried again', async () => (await rowOf('patient@example.net'))?.attempts === attempts)
  }
  assert.equal(await figure('mail_oldest_waiting_seconds'), 0)
  assert.equal(waitsS.length, 12)
  assert.ok(waitsS.reduce((sum, wait) => sum + wait, 0) > 46 * 3_600)
  assert.deepEqual(await rowOf('patient@example.net'), {
    state: 'given up',
    attempts: 13,
    failure: 'unreachable',
    reply: null,
    due_in: null,
    is_known: false,
  })
})

test('an email is given up once its link has expired', async () => {
  start()
  const reset = resetPassword({ address: 'late@example.net', link: `${site}/app/reset?token=1`, validForS: 60 })
  mailbox.behaviours.set({ refuse: 'message', code: 451 }, 'late@example.net')
  await database.transact((tx) => queueMail(tx, secrets, { to: 'late@example.net', message: reset }))
  await until('late@example.net', 'waiting')
  await pass('15 s')
  await until('late@example.net', 'given up', 2)
})

test('an email that no worker sent in time is not sent later', async () => {
  const reset = resetPassword({ address: 'missed@example.net', link: `${site}/app/reset?token=1`, validForS: 60 })
  await database.transact((tx) => queueMail(tx, secrets, { to: 'missed@example.net', message: reset }))
  await pass('60 s')
  start()
  await queue('next@example.net')
  await until('next@example.net', 'sent')
  assert.deepEqual(came('missed@example.net'), [])
  await forget()
  assert.equal((await rowOf('missed@example.net'))?.failure, 'too_late')
})

test('an email that the server accepted without a response is sent again with the same Message-ID', async () => {
  start()
  mailbox.behaviours.set({ drop: true, times: 1 }, 'twice@example.net')
  await queue('twice@example.net')
  await until('twice@example.net', 'waiting')
  await pass('15 s')
  await until('twice@example.net', 'sent', 2)
  const ids = came('twice@example.net').map((mail) => `${mail.message_id} ${mail.date}`)
  assert.equal(ids.length, 2)
  assert.equal(new Set(ids).size, 1)
})

test('after the lease of a killed worker ends, another worker sends its email', async () => {
  await queue('orphan@example.net')
  const [claimed] = await database.transact((tx) => claimMails(tx, 5))
  assert.ok(claimed)
  start()
  await queue('next@example.net')
  await until('next@example.net', 'sent')
  assert.deepEqual(came('orphan@example.net'), [])
  await pass('60 s')
  await until('orphan@example.net', 'sent')
  assert.equal(came('orphan@example.net')[0]?.message_id, `<${claimed.id}@example.net>`)
})

test('a worker that lost its lease cannot record a failure, but can record a success', async () => {
  await queue('lost@example.net')
  const [first] = await database.transact((tx) => claimMails(tx, 5))
  await pass('60 s')
  const [second] = await database.transact((tx) => claimMails(tx, 5))
  assert.ok(first && second)
  const failed = { failure: 'timeout', reply: null, retryS: 15 } as const
  assert.equal(await database.transact((tx) => recordFailure(tx, first, failed)), false)
  assert.deepEqual([(await rowOf('lost@example.net'))?.failure, (await rowOf('lost@example.net'))?.attempts], [null, 0])
  await database.transact((tx) => recordSent(tx, first))
  await database.transact((tx) => recordFailure(tx, second, failed))
  const row = await rowOf('lost@example.net')
  assert.deepEqual([row?.state, row?.failure, row?.attempts], ['sent', null, 1])
})

/** Whether the mail server has received the message whose response it delays. */
function isReceived(address: string): boolean {
  let isAwaited = false
  mailbox.behaviours.take(address, ({ delayMs }) => {
    isAwaited = delayMs !== undefined
    return false
  })
  return !isAwaited
}

test('an email that was sent while the database was down is not sent twice', async () => {
  const proxy = await tcpProxy(url)
  const away = openDatabase(proxy.url, { application: 'zonewright test' })
  after(async () => {
    await away.close()
    await proxy.close()
  })
  const { stop } = start({ database: away })
  mailbox.behaviours.set({ delayMs: 2_000, times: 1 }, 'outage@example.net')
  await queue('outage@example.net')
  await eventually('it is on its way', () => isReceived('outage@example.net'))
  proxy.shut()
  await eventually('it arrives', () => came('outage@example.net').length === 1)
  const knocks = proxy.knocks()
  await eventually('it is tried to be recorded', () => proxy.knocks() > knocks)
  assert.equal((await rowOf('outage@example.net'))?.state, 'waiting')
  proxy.open()
  await until('outage@example.net', 'sent')
  assert.equal(came('outage@example.net').length, 1)
  await stop()
})

test('two workers never send the same email, and send all of many', async () => {
  start()
  start()
  const addresses = Array.from({ length: 40 }, (_, i) => `many${i}@example.net`)
  await Promise.all(addresses.map((to) => queue(to)))
  await eventually('all are sent', () => mailbox.folder.list().length >= 40)
  for (const to of addresses) await until(to, 'sent')
  assert.equal(mailbox.folder.list().length, 40)
})

test('a stop finishes emails in progress, or releases them within 5 s', async () => {
  const { stop } = start()
  mailbox.behaviours.set({ delayMs: 2_000, times: 1 }, 'soon@example.net')
  mailbox.behaviours.set({ delayMs: 60_000, times: 1 }, 'hanging@example.net')
  await Promise.all([queue('soon@example.net'), queue('hanging@example.net')])
  await eventually('both are claimed', async () => {
    const { rows } = await sql`select from mails where lease is not null`.execute(database.db)
    return rows.length === 2
  })
  const began = performance.now()
  await stop()
  assert.ok(performance.now() - began < 20_000, 'not after the minute that it hangs')
  assert.equal((await rowOf('soon@example.net'))?.state, 'sent')
  const given = await rowOf('hanging@example.net')
  assert.deepEqual([given?.state, given?.attempts], ['waiting', 0])
  assert.ok(Number(given?.due_in) <= 0)
  start()
  await until('hanging@example.net', 'sent')
})

test('the log names the outcome of an email, but never its recipient or content', async () => {
  const lines: string[] = []
  const stream = new PassThrough().on('data', (chunk) => lines.push(String(chunk)))
  const log = pino({ level: 'trace' }, stream)
  start({ log })
  mailbox.behaviours.set({ refuse: 'recipient', times: 1 }, 'logged@example.net')
  await queue('logged@example.net')
  await until('logged@example.net', 'given up')
  await queue('fine@example.net')
  await until('fine@example.net', 'sent')
  await eventually('the log has both', () => lines.length >= 2)
  const all = lines.join('')
  assert.match(all, /"kind":"password_changed","attempt":1,"failure":"refused","reply":"550 5\.1\.1"/)
  assert.match(all, /email sent/)
  assert.doesNotMatch(all, /@example\.net|password of the account/)
})

test('without a mail server, logs this once and keeps emails for a process that has one', async () => {
  const lines: string[] = []
  const log = pino(
    {},
    new PassThrough().on('data', (chunk) => lines.push(String(chunk))),
  )
  const started = startMails({
    database,
    wake,
    log,
    metrics: createMetrics(),
    secrets,
    server: undefined,
    serviceName: 'Ngozi DNS',
  })
  await queue('waiting@example.net')
  assert.equal((await rowOf('waiting@example.net'))?.state, 'waiting')
  await started.stop()
  await eventually('it was said', () => lines.length > 0)
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /"level":40.*SMTP_URL is not set/)
  start()
  await until('waiting@example.net', 'sent')
})

test('an email that was sealed with another key cannot be sent, and waits for the right key', async () => {
  const { stop } = start({ secrets: new SecretBox(randomBytes(32)) })
  await queue('sealed@example.net')
  assert.equal((await until('sealed@example.net', 'waiting')).failure, 'unreadable')
  await stop()
  await pass('15 s')
  start()
  await until('sealed@example.net', 'sent', 2)
})

test('deletes the content of an unsent email after two days, and its row after thirty', async () => {
  await queue('overdue@example.net')
  await forget()
  assert.equal((await rowOf('overdue@example.net'))?.state, 'waiting')
  await pass('48 hours')
  await forget()
  const row = await rowOf('overdue@example.net')
  assert.deepEqual([row?.state, row?.failure, row?.is_known], ['given up', 'too_late', false])
  await pass('27 days')
  await forget()
  assert.ok(await rowOf('overdue@example.net'))
  await pass('1 day')
  await forget()
  assert.equal(await rowOf('overdue@example.net'), undefined)
})

function forget(): Promise<void> {
  return runJob(mailJobs, 'forget-mails', database)
}
