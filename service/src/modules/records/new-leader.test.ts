// A request whose key was looked up on one PostgreSQL server, and whose change is written on the one that is the leader by then.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { migrate } from '#platform/postgres/migrate.ts'
import { eventually } from '#testing/eventually.ts'
import { listOf, startTestServer, type TestServer } from '#testing/platform/test-cluster.ts'
import { startTestApi } from '#testing/test-api.ts'

const servers: [TestServer, TestServer] = await pair()
const api = await startTestApi({ databaseUrl: listOf(...servers), requestsPerMinute: 1_000 })
const account = await api.account('owner@example.net')
const zone = await api.zone(account, 'moved.test')
await api.server.fastify.listen({ host: '127.0.0.1', port: 0 })
const { port } = api.server.fastify.server.address() as AddressInfo

async function pair(): Promise<[TestServer, TestServer]> {
  const first = await startTestServer()
  await migrate(first.url)
  return [first, await first.addStandby()]
}

/** Starts a PUT whose key is looked up at once, and whose body is sent later. Returns the function that sends the body. */
async function begin(
  key: string,
  name: string,
): Promise<() => Promise<{ status: number; headers: IncomingMessage['headers']; code: string }>> {
  const [leader] = servers
  const lookups = async () =>
    Number((await leader.run('select sum(cardinality(recent)) as n from api_key_windows')).rows[0]?.n)
  const before = await lookups()
  const body = JSON.stringify({ records: ['192.0.2.1'] })
  const sent = request({
    ...{ host: '127.0.0.1', port, method: 'PUT', path: `/api/v1/zones/${zone.id}/rrsets/${name}/A` },
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': body.length },
  })
  sent.flushHeaders()
  await eventually('the key is looked up', async () => (await lookups()) > before)
  return async () => {
    sent.end(body)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    const text = (await answer.setEncoding('utf8').toArray()).join('')
    return { status: answer.statusCode ?? 0, headers: answer.headers, code: JSON.parse(text).error?.code }
  }
}

/** Kills the leader and promotes the other server. */
async function failOver(): Promise<TestServer> {
  const [former, next] = servers
  const caughtUp = `select pg_current_wal_lsn()::text as lsn`
  const { rows } = await former.run(caughtUp)
  await eventually('the standby has everything', async () => {
    const replayed = await next.run(`select pg_last_wal_replay_lsn() >= '${rows[0]?.lsn}' as is`)
    return replayed.rows[0]?.is
  })
  await former.kill()
  await next.promote()
  servers.reverse()
  return next
}

/** Adopts the timeline as the leading primary does. */
async function adoptTimeline(leader: TestServer): Promise<void> {
  await leader.run(
    `update serial_fence set timeline = substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8), serial_offset = serial_offset + 1000000`,
  )
}

async function rrsets(leader: TestServer): Promise<string[]> {
  const { rows } = await leader.run(`select name from zone_rrsets where zone_id = '${zone.id}' order by name`)
  return rows.map(({ name }) => name)
}

test('a key that was looked up on the former leader changes nothing on the new one before its timeline is adopted', async () => {
  const key = await api.key(account)
  const sendBody = await begin(key, 'kept')
  const leader = await failOver()
  const { status, headers, code } = await sendBody()
  assert.deepEqual([status, code], [503, 'unavailable'])
  assert.match(String(headers['retry-after']), /^[12]$/)
  assert.deepEqual(await rrsets(leader), [])
  await adoptTimeline(leader)
  const later = await eventually('the change is accepted', async () => {
    const answer = await (await begin(key, 'kept'))()
    return answer.status === 201 ? answer : undefined
  })
  assert.ok(Number(later.headers['zone-serial']) > zone.serial + 900_000)
})

test('a key that is revoked on the new leader changes nothing, if the body of its request arrives over a second after the key was looked up', async () => {
  const [former, next] = servers
  await former.stop()
  await next.copy(former)
  await former.start()
  await next.start()
  const key = await api.key(account, { name: 'revoked there' })
  const sendBody = await begin(key, 'revoked')
  const sinceMs = performance.now()
  const leader = await failOver()
  await adoptTimeline(leader)
  await leader.run(`update api_keys set revoked_at = app_now() where name = 'revoked there'`)
  await eventually('the body is late', () => performance.now() - sinceMs > 1_000)
  const { status, code } = await sendBody()
  assert.deepEqual([status, code], [401, 'invalid_key'])
  assert.deepEqual(await rrsets(leader), ['kept.moved.test'])
})
