import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { createLogger } from '#platform/log.ts'
import { sql } from '#platform/postgres/index.ts'
import { SecretBox } from '#platform/secrets.ts'
import { startTestApi } from '#testing/test-api.ts'
import { type FreshZone, testZones } from '#testing/test-zones.ts'
import { untilBlocked } from '#testing/until-blocked.ts'
import { removalOf, removeUnwritable } from './remove-unwritable.ts'

const api = await startTestApi()
const { freshZone } = await testZones(api)
const { database } = api
const key = randomBytes(32)
const secrets = new SecretBox(key)
const parts = { database, secrets, site: 'http://dashboard.test', log: createLogger('test', 'silent') }
const migration = await readFile(new URL('../../../migrations/0021-unwritable-rrsets.sql', import.meta.url), 'utf8')

type Rrset = readonly [name: string, type: string, ...records: string[]]

/** Stores rrsets in the form of earlier releases: `@` and names relative to the zone. */
async function store(zone: FreshZone, rrsets: readonly Rrset[]): Promise<void> {
  for (const [name, type, ...records] of rrsets)
    await sql`insert into zone_rrsets (zone_id, name, type, ttl, records)
      values (${zone.id}, ${name === '@' ? zone.name : `${name}.${zone.name}`}, ${type}, 300, ${records})`.execute(
      database.db,
    )
  await sql`update zones set rrset_count = rrset_count + ${rrsets.length},
    bytes = bytes + (select sum(length(name) + (select sum(12 + greatest(length(r) + 1, 16)) from unnest(records) r))
      from zone_rrsets where zone_id = ${zone.id}) where id = ${zone.id}`.execute(database.db)
}

/** Lists the stored records, as the migration does. */
async function migrateAgain(): Promise<void> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(`begin; drop table unwritable_rrsets; ${migration}; commit`)
  await client.end()
}

async function stored({ id, name: zone }: FreshZone): Promise<string[]> {
  const { rows } = await sql<{ name: string; type: string; records: string[] }>`
    select name, type, records from zone_rrsets where zone_id = ${id} order by name, type`.execute(database.db)
  return rows.map(({ name, type, records }) => `${name.replace(zone, '@')} ${type} ${records.join(' | ')}`)
}

async function mails(): Promise<{ to: string; kind: string; text: string; subject: string }[]> {
  const { rows } = await sql<{ id: string; to: string; kind: string; content: Buffer }>`
    select id, to_address as "to", kind, content from mails where kind = 'records_removed' order by id`.execute(
    database.db,
  )
  return rows.map(({ id, to, kind, content }) => ({
    to,
    kind,
    ...JSON.parse(secrets.open('mails.content', id, content)),
  }))
}

async function systemVersions({ id }: FreshZone): Promise<{ version: number; changes: number }[]> {
  const { rows } = await sql<{ version: number; changes: number }>`
    select version, changes_count as changes from zone_changes where zone_id = ${id} and actor_kind = 'system'
    order by version`.execute(database.db)
  return rows
}

const isListEmpty = async (): Promise<boolean> =>
  (await sql`select 1 from unwritable_rrsets`.execute(database.db)).rows.length === 0

const signed: readonly Rrset[] = [
  ['@', 'RRSIG', 'A 8 2 300 20300101000000 20200101000000 1 example.com. AAAA'],
  ['@', 'DNSKEY', '257 3 8 AwEAAQ=='],
  ['@', 'CDS', '1 8 2 0000000000000000000000000000000000000000000000000000000000000000'],
  ['@', 'CDNSKEY', '257 3 8 AwEAAQ=='],
  ['@', 'NSEC3PARAM', '1 0 0 -'],
  ['www', 'NSEC', 'example.com. A RRSIG NSEC'],
  ['2t7b4g4vsa5smi47k61mv5bv1a22bojr', 'NSEC3', '1 0 0 - 2VPTU5TIMAMQTTGL4LUU9KG21E0AOR3S A'],
]
const kept: readonly Rrset[] = [
  ['www', 'A', '192.0.2.1'],
  ['sub', 'DNSKEY', '257 3 8 AwEAAQ=='],
  ['sub', 'CDS', '1 8 2 0000000000000000000000000000000000000000000000000000000000000000'],
  ['private', 'TYPE65400', '\\# 1 00'],
  ['null', 'NULL', '\\# 1 00'],
  ['apl', 'APL', '\\# 0'],
]
/** Bytes that earlier releases accepted in the generic form, and that are not valid for the type. */
const invalid: readonly Rrset[] = [
  ['g1', 'IPSECKEY', '\\# 3 010203'],
  ['g2', 'A6', '\\# 1 ff'],
  ['g3', 'NID', '\\# 2 0001'],
  ['g4', 'L32', '\\# 1 00'],
  ['g5', 'RESINFO', '\\# 1 05'],
  ['g6', 'HIP', '\\# 1 01'],
  ['g7', 'WKS', '\\# 2 0102'],
  ['g8', 'DSYNC', '\\# 1 01'],
]

test('records that customers can no longer write are removed in one version per zone, and the owner gets one email', async () => {
  const [one, two] = [await freshZone(), await freshZone()]
  await store(one, [...signed, ...kept, ...invalid, ['mixed', 'NID', '\\# 1 00', '\\# 10 000a0011223344556677']])
  await store(two, [['@', 'DNSKEY', '257 3 8 AwEAAQ==']])
  await migrateAgain()
  await removeUnwritable(parts)
  assert.deepEqual(await systemVersions(one), [{ version: 1, changes: signed.length + invalid.length + 1 }])
  assert.deepEqual(await systemVersions(two), [{ version: 1, changes: 1 }])
  assert.deepEqual(
    await stored(one),
    [
      ...kept.map(([name, ...rest]) => [`${name}.@`, ...rest].join(' ')),
      'mixed.@ NID \\# 10 000a0011223344556677',
    ].sort(),
  )
  const diff = await one.call('GET', '/versions/1/diff')
  assert.equal(diff.body.changes.length, signed.length + invalid.length + 1)
  const { rows: audits } = await sql<{ actor: string; action: string }>`
    select actor_kind as actor, action from audit_log where zone_id = ${one.id} and action = 'records.changed'`.execute(
    database.db,
  )
  assert.deepEqual(audits, [{ actor: 'system', action: 'records.changed' }])
  const { rows: events } = await sql`
    select 1 from event_outbox where zone_id = ${one.id} and type = 'zone.records_changed'`.execute(database.db)
  assert.equal(events.length, 1)
  const [mail, ...others] = await mails()
  assert.equal(others.length, 0)
  assert.equal(mail?.to, 'owner@example.net')
  assert.equal(mail.subject, 'We removed records from 2 of your zones')
  assert.match(mail.text, new RegExp(`^${two.name}: ${two.name} DNSKEY \\(version 1\\)$`, 'm'))
  assert.match(mail.text, /A6, DSYNC, HIP, IPSECKEY, L32, NID, RESINFO, WKS: the data was not valid/)
  assert.match(mail.text, /CDNSKEY, CDS, DNSKEY, NSEC, NSEC3, NSEC3PARAM, RRSIG: the signer/)

  await removeUnwritable(parts)
  assert.equal((await systemVersions(one)).length, 1, 'it has nothing more to do')
  assert.equal((await mails()).length, 1)
  assert.ok(await isListEmpty())
})

test('restoring a version does not bring back what was removed', async () => {
  const zone = await freshZone()
  await store(zone, [...signed, ...invalid, ['www', 'A', '192.0.2.1']])
  await migrateAgain()
  await removeUnwritable(parts)
  assert.equal((await zone.call('POST', '/versions/0/restore')).status, 200)
  assert.deepEqual(await stored(zone), ['www.@ A 192.0.2.1'])
})

test('generic data that is valid for its type stays as it is, and is not reported', async () => {
  const zone = await freshZone()
  await store(zone, [
    ['a', 'IPSECKEY', '\\# 5 0a000200aa'],
    ['b', 'L32', '\\# 6 000a0a010200'],
    ['c', 'LP', '\\# 7 000a0161016200'],
  ])
  const before = { mails: (await mails()).length, content: await stored(zone) }
  await migrateAgain()
  assert.ok(!(await isListEmpty()))
  await removeUnwritable(parts)
  assert.ok(await isListEmpty())
  assert.deepEqual({ mails: (await mails()).length, content: await stored(zone) }, before)
  assert.deepEqual(await systemVersions(zone), [])
})

test('the records of a deleted zone are removed when it is restored', async () => {
  const zone = await freshZone()
  await store(zone, [['@', 'DNSKEY', '257 3 8 AwEAAQ==']])
  await migrateAgain()
  await sql`update zones set state = 'deleted', deleted_at = app_now() where id = ${zone.id}`.execute(database.db)
  await removeUnwritable(parts)
  assert.equal((await stored(zone)).length, 1)
  const before = (await mails()).length
  await sql`update zones set state = 'live', deleted_at = null where id = ${zone.id}`.execute(database.db)
  await removeUnwritable(parts)
  assert.deepEqual(await stored(zone), [])
  assert.equal((await mails()).length, before + 1)
})

test('a zone whose records cannot be removed does not delay the others, and is retried', async () => {
  const zones = [await freshZone(), await freshZone(), await freshZone()]
  for (const zone of zones) await store(zone, [['@', 'DNSKEY', '257 3 8 AwEAAQ==']])
  await migrateAgain()
  const [stuck] = zones as [FreshZone]
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`.execute(
    database.db,
  )
  await sql([
    `create trigger refuse before delete on zone_rrsets for each row when (old.zone_id = '${stuck.id}') execute function refuse()`,
  ] as unknown as TemplateStringsArray).execute(database.db)
  await assert.rejects(removeUnwritable(parts), /records of 1 zones/)
  const left = async () => (await Promise.all(zones.map(stored))).map(({ length }) => length)
  assert.deepEqual(await left(), [1, 0, 0])
  await sql`drop trigger refuse on zone_rrsets`.execute(database.db)
  await removeUnwritable(parts)
  assert.deepEqual(await left(), [0, 0, 0])
})

test('kill -9 during the removal leaves one version per zone and one email', async () => {
  const zones = await Promise.all(Array.from({ length: 7 }, freshZone))
  for (const zone of zones) await store(zone, signed)
  await migrateAgain()
  const before = (await mails()).length
  const run = () =>
    spawn(process.execPath, [fileURLToPath(new URL('../../testing/remove-unwritable-program.ts', import.meta.url))], {
      stdio: 'inherit',
      env: { ...process.env, DATABASE_URL: database.url, SECRET: key.toString('base64') },
    })
  const killWhile = async (locking: string) => {
    const holder = new pg.Client({ connectionString: database.url })
    await holder.connect()
    await holder.query('begin')
    await holder.query(locking)
    const child = run()
    await untilBlocked(database.db)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await holder.query('rollback')
    await holder.end()
  }
  const done = async () => (await Promise.all(zones.map(systemVersions))).filter(({ length }) => length === 1).length
  const [, , , fourth] = [...zones].sort((a, b) => (a.id < b.id ? -1 : 1))
  await killWhile(`select from zones where id = '${fourth?.id}' for update`)
  assert.equal(await done(), 3)
  assert.equal((await mails()).length, before)
  await killWhile('lock table mails in exclusive mode')
  assert.equal(await done(), 7)
  assert.equal((await mails()).length, before)
  const both = [run(), run()]
  assert.deepEqual(await Promise.all(both.map(async (child) => (await once(child, 'exit'))[0])), [0, 0])
  assert.equal(await done(), 7)
  assert.ok((await Promise.all(zones.map(systemVersions))).every(({ length }) => length === 1))
  assert.equal((await mails()).length, before + 1, 'two workers at once send one mail')
  assert.match((await mails()).at(-1)?.text ?? '', /RRSIG/)
  assert.ok(await isListEmpty())
})

test('only records of an rrset that customers can no longer write are removed', () => {
  const rrset = (name: string, type: string, records: string[], managed = false) => ({
    name,
    type,
    ttl: 60,
    records,
    managed,
  })
  const removed = (...of: Parameters<typeof rrset>) =>
    removalOf('example.com', rrset(...of)).map(({ ask }) => ('records' in ask ? ask.records : undefined))
  for (const type of ['RRSIG', 'NSEC', 'NSEC3', 'NSEC3PARAM'])
    for (const name of ['example.com', 'a.example.com', '*.b.example.com'])
      assert.deepEqual(removed(name, type, ['whatever']), [[]], `${name} ${type}`)
  for (const type of ['DNSKEY', 'CDS', 'CDNSKEY', 'ZONEMD']) {
    assert.deepEqual(removed('example.com', type, ['whatever']), [[]], type)
    assert.deepEqual(removed('a.example.com', type, ['whatever']), [], type)
  }
  for (const [name, type, ...records] of invalid) {
    assert.deepEqual(removed(name, type, records), [[]], type)
    assert.deepEqual(removed(name, type, [...records, 'kept']), [['kept']], type)
    assert.deepEqual(removed(name, type, records, true), [], `${type} of the service`)
  }
  for (const [name, type, ...records] of kept) assert.deepEqual(removed(`${name}.example.com`, type, records), [], type)
})
