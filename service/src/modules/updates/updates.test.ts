import assert from 'node:assert/strict'
import { type ClientRequest, get, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { updateStreamLimits, type WireUpdate } from '@zonewright/contract'
import { sql } from '#platform/postgres/index.ts'
import { eventually } from '#testing/eventually.ts'
import { startTestApi, type TestApi } from '#testing/test-api.ts'
import { TestPerson } from '#testing/test-person.ts'

// Streams use sockets, because they end with their connections.
const api = await startTestApi({ updateTimes: { sessionsMs: 400, changesMs: 100 } })
const port = await listen(api)
const owner = await TestPerson.signedIn(api, 'owner@example.net')
const ownerId: string = (await owner.call('GET', '/account')).body.id
const zone = await api.zone(ownerId, 'followed.example.org')
const key = await api.key(ownerId)

async function listen({ server }: TestApi): Promise<number> {
  await server.fastify.listen({ host: '127.0.0.1', port: 0 })
  return (server.fastify.server.address() as AddressInfo).port
}

/** One open stream, as its client sees it. */
class Followed {
  text = ''
  endedAtMs: number | undefined
  readonly answer: IncomingMessage
  readonly #asked: ClientRequest

  constructor(answer: IncomingMessage, asked: ClientRequest) {
    this.answer = answer
    this.#asked = asked
    answer.setEncoding('utf8').on('data', (part: string) => {
      this.text += part
    })
    for (const end of ['end', 'error', 'close'])
      answer.once(end, () => {
        this.endedAtMs ??= performance.now()
      })
  }

  get hints(): WireUpdate[] {
    return [...this.text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json ?? ''))
  }

  forget(): void {
    this.text = ''
  }

  /** Waits for a hint about this object, or about the whole kind. */
  hears(kind: string, id: string | null): Promise<unknown> {
    return eventually(`a hint for ${kind} ${id}`, () =>
      this.hints.some((hint) => hint.kind === kind && (hint.id === id || hint.id === null)),
    )
  }

  close(): void {
    this.#asked.destroy()
  }
}

const opened = new Set<Followed>()
after(() => {
  for (const one of opened) one.close()
})

const cookieOf = (person: TestPerson): string =>
  [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

function ask(person: TestPerson, at = port, method = 'GET'): Promise<[IncomingMessage, ClientRequest]> {
  return new Promise((resolve, reject) => {
    const headers = { cookie: cookieOf(person) }
    const asked = request({ host: '127.0.0.1', port: at, path: '/api/v1/updates', method, headers, agent: false })
    asked.once('response', (answer) => resolve([answer, asked])).once('error', reject)
    asked.end()
  })
}

async function follow(person: TestPerson, at = port): Promise<Followed> {
  const [answer, asked] = await ask(person, at)
  assert.equal(answer.statusCode, 200)
  asked.on('error', () => undefined)
  const followed = new Followed(answer, asked)
  opened.add(followed)
  await eventually('the stream begins', () => followed.text !== '')
  return followed
}

const open = async (): Promise<number> =>
  Number(/^zonewright_update_streams (\d+)$/m.exec(await api.parts.metrics.metrics())?.[1])
const noneIsOpen = (): Promise<unknown> => eventually('all streams are closed', async () => (await open()) === 0)

async function closeAll(): Promise<void> {
  for (const one of opened) one.close()
  opened.clear()
  await noneIsOpen()
}

const put = (name: string) =>
  api.call('PUT', `/zones/${zone.name}/rrsets/${name}/A`, { key, body: { ttl: 60, records: ['192.0.2.77'] } })

test('a stream contains hints about objects that its account can see, without contents, and no others', async () => {
  const stranger = await TestPerson.signedIn(api, 'stranger@example.net')
  await put('before')
  const [mine, theirs] = [await follow(owner), await follow(stranger)]
  assert.deepEqual(
    [
      mine.answer.headers['content-type'],
      mine.answer.headers['x-accel-buffering'],
      mine.answer.headers['cache-control'],
    ],
    ['text/event-stream', 'no', 'no-store'],
  )
  await eventually('it begins with the last changes', () => mine.hints.length > 0)
  theirs.forget()
  await put('secret-name')
  await mine.hears('records', zone.id)
  const made = await api.call('POST', '/zones', { key, body: { name: 'new.example.com' } })
  await mine.hears('zones', made.body.id)
  await api.key(ownerId, { name: 'made elsewhere' })
  const { rows } = await sql<{ id: string }>`select id from api_keys where name = 'made elsewhere'`.execute(
    api.database.db,
  )
  await mine.hears('keys', rows[0]?.id ?? '')
  const hook = await api.call('POST', '/webhooks', { key, body: { url: 'https://127.0.0.1:9/hook' } })
  await mine.hears('deliveries', hook.body.id)
  assert.doesNotMatch(mine.text, /secret-name|192\.0\.2\.77|example|elsewhere/)
  for (const hint of mine.hints) assert.deepEqual(Object.keys(hint), ['kind', 'id'])
  assert.deepEqual(theirs.hints, [])
  await closeAll()
})

test('delegations, lanes and orders that change without a request also have hints', async () => {
  const hook = await api.call('POST', '/webhooks', { key, body: { url: 'https://127.0.0.1:9/lane' } })
  const mine = await follow(owner)
  await mine.hears('deliveries', hook.body.id)
  mine.forget()
  const { db } = api.database
  await sql`insert into zone_delegations (zone_id) values (${zone.id}) on conflict (zone_id) do update set since = app_now()`.execute(
    db,
  )
  await mine.hears('zones', zone.id)
  await sql`update webhook_lanes set due_at = app_now() where endpoint_id = ${hook.body.id}`.execute(db)
  await mine.hears('deliveries', hook.body.id)
  await sql`
    insert into audit_log (account_id, actor_kind, actor_name, action, domain, summary, reference)
    values (${ownerId}, 'system', 'registry', 'order.completed', 'bought.test', '', '{"order": "ord_1"}')`.execute(db)
  await mine.hears('orders', 'ord_1')
  await mine.hears('domains', 'bought.test')
  await closeAll()
})

test('a change is reported once, even if it commits after one that began later', async () => {
  const mine = await follow(owner)
  const { db } = api.database
  const held = Promise.withResolvers<void>()
  const isWritten = Promise.withResolvers<void>()
  const insert = (subject: string) => sql`
    insert into audit_log (account_id, actor_kind, actor_name, action, summary, reference)
    values (${ownerId}, 'system', 'test', 'key.changed', '', ${JSON.stringify({ key: subject })}::json)`
  const late = api.database.transact(async (tx) => {
    await insert('key_late').execute(tx)
    isWritten.resolve()
    await held.promise
  })
  await isWritten.promise
  await insert('key_soon').execute(db)
  await mine.hears('keys', 'key_soon')
  assert.ok(!mine.hints.some(({ id }) => id === 'key_late'))
  held.resolve()
  await late
  await mine.hears('keys', 'key_late')
  await insert('key_last').execute(db)
  await mine.hears('keys', 'key_last')
  assert.deepEqual(
    mine.hints.flatMap(({ id }) => (id?.startsWith('key_l') || id === 'key_soon' ? [id] : [])),
    ['key_soon', 'key_late', 'key_last'],
  )
  await closeAll()
})

test('thousands of concurrent changes become one hint for each kind', async () => {
  const mine = await follow(owner)
  mine.forget()
  await sql`
    insert into audit_log (account_id, actor_kind, actor_name, action, summary, reference)
    select ${ownerId}, 'system', 'test', 'key.changed', '', json_build_object('key', 'key_many' || n)
    from generate_series(1, 5000) n`.execute(api.database.db)
  await mine.hears('keys', null)
  assert.ok(mine.text.length < 10_000, `${mine.text.length} bytes`)
  await closeAll()
})

test('changes made through another process are also reported', async () => {
  const other = await startTestApi({ databaseUrl: api.database.url })
  const mine = await follow(owner)
  mine.forget()
  const made = await other.call('POST', '/zones', { key, body: { name: 'other.example.com' } })
  assert.equal(made.status, 201)
  await mine.hears('zones', made.body.id)
  await closeAll()
})

test('a manager gets hints about the shared zone until the removal, and then reads the list again', async () => {
  const guest = await TestPerson.signedIn(api, 'guest@example.net')
  const guestId: string = (await guest.call('GET', '/account')).body.id
  const theirs = await follow(guest)
  await owner.call('POST', `/zones/${zone.name}/managers`, { body: { email: guest.email } })
  const [invitation] = (await guest.call('GET', '/invitations')).body.data
  theirs.forget()
  const accepted = await guest.call('POST', `/invitations/${invitation.id}/accept`, { body: {} })
  assert.equal(accepted.status, 200)
  await theirs.hears('zones', null)
  await put('shared')
  await theirs.hears('records', zone.id)
  await api.key(ownerId, { name: 'not for the guest' })
  theirs.forget()
  assert.equal((await owner.call('DELETE', `/zones/${zone.name}/managers/${guestId}`)).status, 204)
  await theirs.hears('zones', null)
  theirs.forget()
  const mine = await follow(owner)
  mine.forget()
  await put('no-longer-shared')
  await mine.hears('records', zone.id)
  // One read serves both.
  assert.deepEqual(theirs.hints, [])
  assert.equal(theirs.endedAtMs, undefined)
  await closeAll()
})

test('the stream ends within a second of sign-out, also if the session is ended elsewhere', async () => {
  const person = await TestPerson.signedIn(api, 'leaves@example.net')
  const followed = await follow(person)
  const elsewhere = await follow(owner)
  const atMs = performance.now()
  assert.equal((await person.auth('POST', '/sign-out', {})).status, 200)
  await eventually('the stream ends', () => followed.endedAtMs)
  assert.ok((followed.endedAtMs ?? 0) - atMs < 1_000)
  await person.signIn()
  const again = await follow(person)
  const endedAtMs = performance.now()
  await sql`delete from account_sessions where account_id = (select id from accounts where email = ${person.email})`.execute(
    api.database.db,
  )
  await eventually('the stream ends', () => again.endedAtMs)
  assert.ok((again.endedAtMs ?? 0) - endedAtMs < 1_000)
  assert.equal(elsewhere.endedAtMs, undefined)
  await closeAll()
})

test('refuses the sixth stream of a session and the 51st of an account, until another one is closed', async () => {
  const person = await TestPerson.signedIn(api, 'many@example.net')
  const first = await follow(person)
  await Promise.all(Array.from({ length: updateStreamLimits.session - 1 }, () => follow(person)))
  const [refused] = await ask(person)
  assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [429, '30'])
  refused.resume()
  first.close()
  await eventually('the place is free', async () => (await open()) === updateStreamLimits.session - 1)
  await follow(person)
  for (let sessions = 1; sessions < updateStreamLimits.account / updateStreamLimits.session; sessions++) {
    await person.signIn()
    await Promise.all(Array.from({ length: updateStreamLimits.session }, () => follow(person)))
  }
  await person.signIn()
  const [tooMany] = await ask(person)
  assert.equal(tooMany.statusCode, 429)
  tooMany.resume()
  await closeAll()
})

test('a HEAD request opens no stream, and streams that are opened and closed leave nothing behind', async () => {
  const [answer] = await ask(owner, port, 'HEAD')
  assert.equal(answer.statusCode, 200)
  answer.resume()
  await noneIsOpen()
  for (let round = 0; round < 10; round++) {
    const some = await Promise.all([follow(owner), follow(owner), follow(owner)])
    for (const one of some) one.close()
    // Also ends a request before its response.
    const asked = get({
      host: '127.0.0.1',
      port,
      path: '/api/v1/updates',
      headers: { cookie: cookieOf(owner) },
      agent: false,
    })
    asked.on('error', () => undefined)
    for (let turns = 0; turns < round * 5; turns++) await turn()
    asked.destroy()
  }
  await closeAll()
})
