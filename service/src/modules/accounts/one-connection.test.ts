import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { startIdentityProvider } from '@zonewright/sandbox'
import { sql } from '#platform/postgres/index.ts'
import { onOneConnection, within } from '#testing/one-connection.ts'
import { type PersonRequest, peopleRequests } from '#testing/people-requests.ts'
import { asAnotherProcess } from '#testing/platform/test-database.ts'
import { startTestApi, type TestAnswer, testClient, testOrigin, testReceiver } from '#testing/test-api.ts'
import { testContact } from '#testing/test-contact.ts'
import { TestPerson } from '#testing/test-person.ts'
import { untilBlocked } from '#testing/until-blocked.ts'
import { authRoutes } from './auth-routes.ts'

// No request may need a second connection to PostgreSQL while it holds one: once such requests hold every connection of a process, it no longer
// responds. An email is committed together with the change that it reports.

const identity = await startIdentityProvider({ httpListen: '127.0.0.1:0', ...testClient })
after(() => identity.close())
const api = await startTestApi({ identity })
const { database } = api
const { db } = database
const elsewhere = asAnotherProcess(database.url)

const { signedIn, auth: requests, account: accountRequests } = peopleRequests(api)

const ask = (route: string, { person, body, path = route }: PersonRequest): Promise<TestAnswer> =>
  person.auth(authRoutes[route] ?? '', path, body)

function askAccount(route: string, { person, body, path: given }: PersonRequest): Promise<TestAnswer> {
  const [method = '', usual = ''] = route.split(' ')
  const path = given ?? usual
  return person.call(method, path, { body })
}

async function forgetTries(): Promise<void> {
  await sql`delete from account_tries`.execute(db)
  await sql`delete from account_guesses`.execute(db)
}

beforeEach(forgetTries)

test('every served route of better-auth has a request here', () => {
  assert.deepEqual(Object.keys(requests).sort(), Object.keys(authRoutes).sort())
})

for (const [all, send] of [
  [requests, ask],
  [accountRequests, askAccount],
] as const)
  for (const [route, make] of Object.entries(all))
    test(`${route}: two concurrent requests are answered with one connection`, async () => {
      const request = await make()
      const answers = await onOneConnection(database, () =>
        within(60_000, route, Promise.all([send(route, request), send(route, request)])),
      )
      const statuses = answers.map(({ status }) => status)
      assert.ok(
        statuses.some((status) => status < 400),
        `${statuses}`,
      )
      assert.ok(
        statuses.every((status) => status < 500),
        `${statuses}`,
      )
    })

/** Routes that do not use the database. */
const withoutDatabase = ['/passkey/challenge', '/provider/begin']

test('without a free connection, every route of better-auth returns 503 with Retry-After', async () => {
  const { pool } = database
  const requested = new Map<string, PersonRequest>()
  for (const route of Object.keys(requests).filter((each) => !withoutDatabase.includes(each)))
    requested.set(route, (await requests[route]?.()) ?? assert.fail(route))
  const { connectionTimeoutMillis } = pool.options
  const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  try {
    pool.options.connectionTimeoutMillis = 100
    for (const [route, request] of requested) {
      const { status, headers, body } = await ask(route, request)
      assert.deepEqual([status, body.error?.code, headers['retry-after']], [503, 'unavailable', '5'], route)
    }
  } finally {
    pool.options.connectionTimeoutMillis = connectionTimeoutMillis
    for (const client of taken) client.release()
  }
})

test('20 concurrent changes of one account from one session are all applied', async () => {
  const person = await signedIn()
  const rename = (i: number) => person.call('PATCH', '/account', { body: { name: `Ada ${i}` } })
  const answers = await within(60_000, 'renaming', Promise.all(Array.from({ length: 20 }, (_, i) => rename(i))))
  for (const [i, { status, body }] of answers.entries()) assert.deepEqual([status, body.name], [200, `Ada ${i}`])
})

test('other requests get connections, however many wait for one account', async () => {
  const [busy, idle] = [await signedIn(), await signedIn()]
  const inits: ((i: number) => Promise<TestAnswer>)[] = [
    (i) => busy.call('PATCH', '/account', { body: { name: `Ada ${i}` } }),
    (i) => busy.call('POST', '/zones', { body: { name: `zone${i}.example.org` } }),
    () => busy.call('POST', '/contacts', { body: testContact }),
    (i) => busy.call('POST', '/webhooks', { body: { url: testReceiver, description: `${i}` } }),
    () => new TestPerson(api, busy.email).signIn(),
    () => busy.auth('POST', '/two-factor/enable', { password: busy.password }),
  ]
  for (const ask of inits) {
    await forgetTries()
    let waiting: Promise<TestAnswer[]> | undefined
    await elsewhere.transact(async (tx) => {
      await sql`select 1 from accounts where email = ${busy.email} for no key update`.execute(tx)
      waiting = Promise.all(Array.from({ length: database.pool.options.max + 2 }, (_, i) => ask(i)))
      await untilBlocked(db)
      const renamed = idle.call('PATCH', '/account', { body: { name: 'Grace' } })
      assert.equal((await within(5_000, ask.toString(), renamed)).status, 200)
    })
    for (const { status } of (await waiting) ?? []) assert.ok(status < 500, String(status))
  }
})

test('each of 34 concurrent sign-ups stores its address and sends its email, even with one connection', async () => {
  const signUp = (address: string, i: number) =>
    api.server.fastify.inject({
      method: 'POST',
      url: '/api/auth/sign-up/email',
      remoteAddress: `192.0.2.${i + 1}`,
      headers: { origin: testOrigin },
      payload: { email: address },
    })
  const all = async (prefix: string) => {
    const addresses = Array.from({ length: 17 }, (_, i) => `${prefix}${i}@example.net`)
    const answers = await within(30_000, 'signing up', Promise.all(addresses.map(signUp)))
    assert.deepEqual([...new Set(answers.map(({ statusCode }) => statusCode))], [200])
    const { rows } = await sql<{ stored: number; mails: number }>`
      select (select count(*) from account_sign_ups where email = any(${addresses})) as stored,
        (select count(*) from mails where to_address = any(${addresses})) as mails`.execute(db)
    assert.deepEqual(rows, [{ stored: 17, mails: 17 }])
  }
  await all('many')
  await onOneConnection(database, () => all('one-by-one'))
})

/** The stored data of people, except counts and times of their attempts. */
async function stored(): Promise<unknown> {
  const tables = [
    ...[
      'accounts',
      'account_sign_ups',
      'account_devices',
      'account_credentials',
      'account_providers',
      'account_two_factors',
      'account_sessions',
      'account_verifications',
    ],
    ...['api_keys', 'audit_log', 'mails'],
  ]
  const found = tables.map(async (table) => {
    const { rows } = await sql`select * from ${sql.table(table)} t order by t::text`.execute(db)
    return [table, rows]
  })
  return Object.fromEntries(await Promise.all(found))
}

/** While the work runs, no email can be queued. */
async function withoutMails(work: () => Promise<void>): Promise<void> {
  await sql`
    create or replace function refuse_mail() returns trigger language plpgsql as $$
    begin raise exception 'no mail today'; end $$`.execute(db)
  await sql`create trigger refuse_mail before insert on mails execute function refuse_mail()`.execute(db)
  try {
    await work()
  } finally {
    await sql`drop trigger refuse_mail on mails`.execute(db)
  }
}

/** Account routes that send no email. */
const mailless = [
  ...['PATCH /account', 'PATCH /account/passkeys', 'POST /account/passkeys/options'],
  'POST /account/providers/link',
]

const mailed: readonly (readonly [route: string, make: () => Promise<PersonRequest>, send: typeof ask])[] = [
  ...['/sign-up/email', '/request-password-reset', '/reset-password', '/change-password'].map(
    (route) => [route, requests[route] ?? assert.fail(route), ask] as const,
  ),
  ['/two-factor/disable', requests['/two-factor/disable'] ?? assert.fail(), ask],
  ...Object.entries(accountRequests)
    .filter(([route]) => !mailless.includes(route))
    .map(([route, make]) => [route, make, askAccount] as const),
]

for (const [route, make, send] of mailed)
  test(`${route}: fails and writes nothing if its email cannot be queued`, async () => {
    const request = await make()
    const { person } = request
    // A code is used up before better-auth performs the permitted action.
    const before = await stored()
    await withoutMails(async () => {
      const answer = await send(route, request)
      assert.ok(answer.status >= 500, String(answer.status))
    })
    assert.deepEqual(withoutCodes(await stored()), withoutCodes(before))
    const body = {
      ...(request.body as object),
      ...('code' in (request.body as object) && { code: person.backupCodes[1] }),
    }
    const again = await send(route, { ...request, body })
    assert.ok(again.status < 400, JSON.stringify(again.body))
  })

function withoutCodes(rows: unknown): unknown {
  const { account_two_factors: _, ...rest } = rows as Record<string, unknown>
  return rest
}
