import assert from 'node:assert/strict'
import { test } from 'node:test'
import { domainExpiring, keySentInClear, zoneLive } from '#modules/mail/index.ts'
import { sql } from '#platform/postgres/index.ts'
import { moveClock } from '#testing/move-clock.ts'
import { mailedToken, queuedMails } from '#testing/queued-mails.ts'
import { runJob } from '#testing/run-job.ts'
import { startTestApi, type TestAnswer, testOrigin } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'
import { accountJobs } from './jobs.ts'
import { tellAccount } from './tell-account.ts'

const api = await startTestApi()
const { database } = api
const { secrets } = api.parts
const site = testOrigin
const path = '/account/notifications'

const idOf = async (person: TestPerson): Promise<string> => (await person.call('GET', '/account')).body.id
const add = (person: TestPerson, email: string, topics = ['zones', 'domains']): Promise<TestAnswer> =>
  person.call('POST', `${path}/addresses`, { body: { email, topics } })
const answer = async (email: string, wish: 'confirm' | 'stop'): Promise<TestAnswer> =>
  api.call('POST', '/notification-links/answer', { body: { token: await mailedToken(api, email), answer: wish } })
const settings = async (person: TestPerson) => (await person.call('GET', path)).body

/** Who got an email of the kind. */
async function readersOf(kind: string, texts: RegExp): Promise<string[]> {
  return (await queuedMails(api)).flatMap((mail) => (mail.kind === kind && texts.test(mail.text) ? [mail.to] : []))
}

test('an added address gets emails about its topics only after its reader has confirmed', async () => {
  const person = await TestPerson.signedIn(api, 'ada@example.net')
  const id = await idOf(person)
  const tell = (zone: string) =>
    database.transact((tx) => tellAccount(tx, { secrets }, id, zoneLive({ site, zone }), `zone_live ${zone}`))
  const added = await add(person, 'ops@example.net')
  assert.deepEqual([added.status, added.body.state], [201, 'unconfirmed'])
  assert.equal(await tell('before.example.net'), true)
  assert.deepEqual(await readersOf('zone_live', /before/), ['ada@example.net'])

  const token = await mailedToken(api, 'ops@example.net')
  const read = await api.call('POST', '/notification-links/read', { body: { token } })
  assert.deepEqual(read.body, {
    account: 'ada@example.net',
    email: 'ops@example.net',
    topics: ['zones', 'domains'],
    state: 'unconfirmed',
  })
  assert.equal((await settings(person)).addresses[0].state, 'unconfirmed', 'reading confirms nothing')
  assert.equal((await answer('ops@example.net', 'confirm')).status, 204)
  assert.equal((await answer('ops@example.net', 'confirm')).status, 204, 'twice does no harm')
  assert.deepEqual(await readersOf('notification_address_added', /ops@example\.net/), ['ada@example.net'])

  assert.equal(await tell('after.example.net'), true)
  assert.equal(await tell('after.example.net'), false)
  assert.deepEqual(await readersOf('zone_live', /after/), ['ada@example.net', 'ops@example.net'])
  const key = { id: 'key_1', name: 'router' }
  const sent = keySentInClear({ site, key, at: new Date(), from: '192.0.2.7' })
  await database.transact((tx) => tellAccount(tx, { secrets }, id, sent))
  assert.deepEqual(await readersOf('key_sent_in_clear', /router/), ['ada@example.net'], 'not its topic')
})

test('an account gets only urgent emails of a muted topic; an invalid change changes nothing', async () => {
  const person = await TestPerson.signedIn(api, 'muting@example.net')
  const id = await idOf(person)
  assert.deepEqual((await person.call('PUT', path, { body: { muted: ['domains', 'zones', 'zones'] } })).body.muted, [
    'domains',
    'zones',
  ])
  assert.equal((await person.call('PUT', path, { body: { muted: ['security'] } })).status, 422)
  assert.equal((await person.call('PUT', path, { body: { muted: ['everything'] } })).status, 422)
  assert.deepEqual((await settings(person)).muted, ['domains', 'zones'])
  const expiresAt = new Date('2027-01-01T00:00:00Z')
  await database.transact(async (tx) => {
    await tellAccount(tx, { secrets }, id, zoneLive({ site, zone: 'muted.example.net' }))
    await tellAccount(tx, { secrets }, id, domainExpiring({ site, domain: 'urgent.test', expiresAt }))
  })
  assert.deepEqual(await readersOf('zone_live', /muted\.example/), [])
  assert.deepEqual(await readersOf('domain_expiring', /urgent/), ['muting@example.net'])
})

test('an account can add up to five addresses, each once, and not its own', async () => {
  const person = await TestPerson.signedIn(api, 'many@example.net')
  const codeOf = ({ status, body }: TestAnswer): unknown => [status, body.error?.code]
  assert.deepEqual(codeOf(await add(person, 'Many@Example.net')), [409, 'conflict'])
  assert.deepEqual(codeOf(await add(person, 'not an address')), [422, 'validation_failed'])
  assert.deepEqual(codeOf(await add(person, 'nothing@example.net', [])), [422, 'validation_failed'])
  for (const n of [1, 2, 3, 4, 5]) assert.equal((await add(person, `reader${n}@example.net`)).status, 201)
  assert.deepEqual(codeOf(await add(person, 'reader6@example.net')), [409, 'conflict'])
  assert.equal((await add(person, 'reader1@example.net')).status, 201, 'the email is sent again')
  assert.deepEqual(codeOf(await add(person, 'reader2@example.net')), [201, undefined])
  assert.deepEqual(codeOf(await add(person, 'reader3@example.net')), [201, undefined])
  assert.deepEqual(codeOf(await add(person, 'reader4@example.net')), [429, 'rate_limited'])
  assert.equal((await settings(person)).addresses.length, 5)
  assert.equal((await answer('reader1@example.net', 'confirm')).status, 204)
  const { rows } = await sql`delete from account_tries returning 1`.execute(database.db)
  assert.ok(rows.length > 0)
  assert.deepEqual(codeOf(await add(person, 'reader1@example.net')), [409, 'conflict'])
  const change = (address: string) =>
    person.call('PATCH', `${path}/addresses/${address}`, { body: { topics: ['security'] } })
  assert.deepEqual((await change('reader1@example.net')).body.topics, ['security'])
  assert.deepEqual(codeOf(await change('reader9@example.net')), [404, 'not_found'])
  assert.equal((await person.call('DELETE', `${path}/addresses/reader1@example.net`)).status, 204)
  assert.deepEqual(codeOf(await person.call('DELETE', `${path}/addresses/reader1@example.net`)), [404, 'not_found'])
  assert.equal((await settings(person)).addresses.length, 4)
})

test('anyone with the link can stop the emails at any time; an expired or forged link confirms nothing', async () => {
  const person = await TestPerson.signedIn(api, 'owner@example.net')
  const stranger = await TestPerson.signedIn(api, 'stranger@example.net')
  await add(person, 'late@example.net')
  await add(person, 'stopping@example.net', ['security'])
  assert.equal((await answer('stopping@example.net', 'confirm')).status, 204)
  assert.deepEqual((await settings(stranger)).addresses, [])
  assert.equal((await stranger.call('DELETE', `${path}/addresses/stopping@example.net`)).status, 404)
  const made = { token: 'made up', answer: 'confirm' }
  assert.equal((await api.call('POST', '/notification-links/answer', { body: made })).body.error.code, 'conflict')
  await new TestPerson(api, person.email).signIn()
  assert.deepEqual(
    (await queuedMails(api))
      .filter(({ kind }) => kind === 'signed_in')
      .map(({ to }) => to)
      .sort(),
    ['owner@example.net', 'stopping@example.net'],
  )

  await moveClock(database, '7 days 1 minute')
  const late = await answer('late@example.net', 'confirm')
  assert.match(late.body.error.message, /This link has expired\. Ask owner@example\.net/)
  await runJob(accountJobs, 'forget-sign-ins', database)
  assert.deepEqual(
    (await settings(person)).addresses.map(({ email }: { email: string }) => email),
    ['stopping@example.net'],
  )
  assert.equal((await answer('stopping@example.net', 'stop')).status, 204)
  assert.equal((await answer('stopping@example.net', 'stop')).status, 409)
  assert.deepEqual((await settings(person)).addresses, [])
})
