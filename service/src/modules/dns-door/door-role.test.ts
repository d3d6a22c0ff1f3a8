// A DNS door in its own process: its role in the database, and the key that it opens TSIG secrets with.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { parseName, Rcode } from '@zonewright/dns'
import pg from 'pg'
import { composeDoor } from '#compose/dns-door.ts'
import { createMetrics } from '#platform/figures/metrics.ts'
import { openDatabase, sql, Wake } from '#platform/postgres/index.ts'
import { migrate } from '#platform/postgres/migrate.ts'
import { sealedColumns } from '#platform/sealed-columns.ts'
import { TsigBox, tsigSealingKey } from '#platform/secrets.ts'
import { add, DoorClient, question, signingKey, updateOf } from '#testing/dns-door/test-door.ts'
import { eventually } from '#testing/eventually.ts'
import { connectWithinMs } from '#testing/platform/test-database.ts'
import { tcpProxy } from '#testing/tcp-proxy.ts'
import { startTestApi } from '#testing/test-api.ts'

const api = await startTestApi()
const { database, parts } = api
const role = `door_${new URL(database.url).pathname.slice(1)}`
await sql.raw(`create role ${role} login password 'of a test'`).execute(database.db)
await migrate(database.url, { doorRole: role })
const url = Object.assign(new URL(database.url), { username: role, password: 'of a test' }).href
const proxy = await tcpProxy(url)
const wake = new Wake(proxy.url, parts.log)
const asDoor = openDatabase(proxy.url, { application: 'zonewright test door', wake, connectWithinMs: 2_000 })
const door = await composeDoor(
  { ...parts, database: asDoor, metrics: createMetrics() },
  {
    listen: { host: '127.0.0.1', port: 0 },
    tls: undefined,
    secrets: new TsigBox(tsigSealingKey(parts.configuration.secretKey)),
  },
)
const client = await DoorClient.connect(door.address)
after(async () => {
  client.close()
  await door.stop()
  await wake.close()
  await asDoor.close()
  await proxy.close()
  // The role belongs to the server, so it would outlive the run.
  const owner = new pg.Client({ connectionString: database.url, connectionTimeoutMillis: connectWithinMs })
  await owner.connect()
  await owner.query(`drop owned by ${role}; drop role ${role}`)
  await owner.end()
})

const owner = await api.account('owner@example.net')
const zone = await api.zone(owner, 'example.com')
const key = await signingKey(api, owner)
const limited = await signingKey(api, owner, {
  picks: ['example.com'],
  limits: [{ zone: 'example.com', names: ['*'], types: ['A'] }],
  permissions: ['records:read', 'records:write'],
})

test('with this role and the derived key, the door does all of its work', async () => {
  const update = (host: string) => updateOf('example.com', [add(`${host}.example.com`, 'A', '192.0.2.1')])
  for (const by of [key, limited]) {
    assert.equal((await client.ask(update(by.id.slice(4)), by.tsig)).rcode, Rcode.NOERROR)
    const found = await client.ask(question(`${by.id.slice(4)}.example.com.`, 'A'), by.tsig)
    assert.equal(found.message.answers.length, 1)
  }
  const put = await api.call('PUT', '/zones/example.com/rrsets/away/ALIAS', {
    key: key.secret,
    body: { ttl: 300, records: ['host.example.net.'] },
  })
  assert.equal(put.status, 201)
  assert.equal((await client.ask(question('away.example.com.', 'A'), key.tsig)).rcode, Rcode.NXDOMAIN)
  // A transfer names the nameservers, which the primary registers. Updates wait for them, so they are removed again.
  await sql`insert into nameservers (name, address, position) values ('ns1.zonewright.test', '127.0.0.1:9', 1)`.execute(
    database.db,
  )
  const whole = await client.ask(question('example.com.', 'AXFR'), key.tsig)
  assert.deepEqual([whole.rcode, whole.message.answers.length > 2], [Rcode.NOERROR, true])
  await sql`delete from nameservers`.execute(database.db)
  const end = { kind: 'delete-name', name: parseName('away.example.com.') } as const
  assert.equal((await client.ask(updateOf('example.com', [end]), key.tsig)).rcode, Rcode.NOERROR)
  const removal = { kind: 'delete-name', name: parseName(`${key.id.slice(4)}.example.com.`) } as const
  assert.equal((await client.ask(updateOf('example.com', [removal]), key.tsig)).rcode, Rcode.NOERROR)
  assert.equal((await client.askUnsigned(question('www.example.com.', 'SOA'))).message.authorities.length, 1)
  const { rows } = await sql<{ version: number; used: boolean }>`
    select version, exists (select from api_keys where id = ${key.id} and last_used_at is not null) as used
    from zones where id = ${zone.id}`.execute(database.db)
  assert.deepEqual(rows, [{ version: 5, used: true }])
})

test('with this role, the door records that the key of a secondary reads the zone', async () => {
  const reading = await signingKey(api, owner)
  await sql`insert into zone_secondaries (zone_id, address, port, key_id, position, active_until, due_at)
    values (${zone.id}, '127.0.0.1', 9, ${reading.id}, 0, app_now() + interval '1 h', app_now())`.execute(database.db)
  assert.equal((await client.ask(question('example.com.', 'SOA'), reading.tsig)).rcode, Rcode.NOERROR)
  await eventually('the query is recorded', async () => {
    const { rows } = await sql`select from zone_secondaries
      where read_at is not null and active_until > app_now() + interval '23 h'`.execute(database.db)
    return rows.length === 1
  })
})

test('the role can read no other sealed column, and no personal data', async () => {
  const denied = { code: '42501' }
  for (const column of Object.keys(sealedColumns)) {
    const [table = '', name = ''] = column.split('.')
    const reading = sql`select ${sql.ref(name)} from ${sql.table(table)} limit 1`.execute(asDoor.db)
    if (column === 'api_key_tsig.secret') await reading
    else await assert.rejects(reading, denied, column)
  }
  for (const text of [
    'select email from accounts',
    'select * from account_sessions',
    `update accounts set updates_per_minute = 1000000`,
    `update api_key_tsig set secret = ''`,
    'insert into api_keys (id) values (null)',
    'update api_keys set permissions = null',
    `update zone_secondaries set address = '192.0.2.1'`,
    'delete from zones',
    'delete from audit_log',
    'create table mine (a int)',
  ])
    await assert.rejects(sql.raw(text).execute(asDoor.db), denied, text)
})

test('messages get SERVFAIL while the database is unavailable, and the same messages succeed afterwards', async () => {
  const update = updateOf('example.com', [add('outage.example.com', 'A', '192.0.2.1')])
  proxy.shut()
  const [refused, asked] = await Promise.all([
    client.askUnsigned(question('example.com.', 'SOA')),
    client.ask(update, key.tsig).catch((error: Error) => error.message),
  ])
  assert.equal(refused.rcode, Rcode.SERVFAIL)
  assert.deepEqual(refused.reasons, ['The service cannot answer now. Try again later.'])
  // Without the database, the key is not known: the answer is not signed, and a client does not believe it.
  assert.equal(asked, 'The message is not signed.')
  proxy.open()
  assert.equal((await client.ask(update, key.tsig)).rcode, Rcode.NOERROR)
})
