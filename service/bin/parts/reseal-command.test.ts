// Tests the list of sealed columns on a released database with data in every state, and the command that reseals them.
import assert from 'node:assert/strict'
import { createDecipheriv, randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Platform } from '#compose/platform.ts'
import { AuthSecrets } from '#modules/accounts/index.ts'
import { queueMail, testMail } from '#modules/mail/index.ts'
import { type Db, openDatabase, sql } from '#platform/postgres/index.ts'
import { migrate } from '#platform/postgres/migrate.ts'
import { sealedColumns } from '#platform/sealed-columns.ts'
import { SecretBox, tsigSealingKey } from '#platform/secrets.ts'
import { eventually } from '#testing/eventually.ts'
import {
  asAnotherProcess,
  connectWithinMs,
  createEmptyDatabase,
  type TestDatabase,
} from '#testing/platform/test-database.ts'
import { secretFindings } from './doctor/outside-findings.ts'
import { resealSecrets } from './reseal-command.ts'

const release = new URL('../../../system-tests/releases/0.1.0', import.meta.url)
const old = Buffer.from(JSON.parse(readFileSync(`${fileURLToPath(release)}.json`, 'utf8')).secret_key, 'base64')
const replacement = randomBytes(32)

/** A separate copy of a released database, on the current schema. */
async function released(): Promise<TestDatabase> {
  const url = await createEmptyDatabase()
  const loading = openDatabase(url, { application: 'zonewright test', connectWithinMs })
  // Not with the test's pool, because a dump changes settings of its session.
  await loading.pool.query(readFileSync(`${fileURLToPath(release)}.sql`, 'utf8'))
  await loading.close()
  await migrate(url)
  const database = asAnotherProcess(url)
  const { db } = database
  const box = new SecretBox(old)
  // Copies of other rows, which no key can open.
  await sql`delete from webhook_endpoints where description = 'turned off'`.execute(db)
  await sql`update orders set auth_code = null`.execute(db)
  // States that end too soon to be in a released database.
  const { rows: orders } = await sql<{ id: string }>`select id from orders order by id limit 3`.execute(db)
  for (const { id } of orders)
    await sql`update orders set auth_code = ${box.seal('orders.auth_code', id, 'transfer code of an order')} where id = ${id}`.execute(
      db,
    )
  const { rows: acts } = await sql<{ id: string; domain: string }>`
    select id::text, domain_id::text as domain from domain_acts order by id limit 1`.execute(db)
  await sql`update domain_acts set secret = ${box.seal('domain_acts.secret', acts[0]?.domain ?? '', 'transfer code of a domain')}
    where id = ${acts[0]?.id}::bigint`.execute(db)
  // Added after the release.
  await sql`
    insert into cards (id, account_id, signature, code, email, brand, last4, expiry_month, expiry_year)
    select 'card_1', id, 'SIG_1', ${box.seal('cards.code', 'card_1', 'code of a saved card')}, '', 'visa', '0001', 1, 2030 from accounts limit 1`.execute(
    db,
  )
  const { rows: endpoints } = await sql<{ id: string }>`select id from webhook_endpoints order by id limit 1`.execute(
    db,
  )
  for (const { id } of endpoints)
    await sql`update webhook_endpoints set headers = ${box.seal('webhook_endpoints.headers', id, '{"X-Gateway":"header of a webhook endpoint"}')}
      where id = ${id}`.execute(db)
  const { rows: keys } = await sql<{ id: string }>`select id from api_keys order by id limit 2`.execute(db)
  for (const { id } of keys)
    await sql`insert into api_key_tsig (key_id, secret) values (${id}, ${box.seal('api_key_tsig.secret', id, 'TSIG secret of an API key')})`.execute(
      db,
    )
  await database.transact((tx) =>
    queueMail(tx, box, { to: 'ada@example.net', message: testMail({ site: 'https://dns.example.net' }) }),
  )
  return { ...database, url }
}

const platformWith = (db: Db, key: Buffer, fallback?: Buffer): Platform =>
  ({
    database: { db },
    secrets: new SecretBox(key, fallback),
    configuration: { secretKey: key, secretKeyFallback: fallback },
  }) as unknown as Platform

/** Every column of the database that has a value sealed with the key, whatever its type and purpose, with the contents. */
async function sealedIn(db: Db, key: Buffer): Promise<Map<string, Set<string>>> {
  const auth = new AuthSecrets(key)
  const found = new Map<string, Set<string>>()
  const { rows: tables } = await sql<{ name: string }>`
    select format('%I.%I', nspname, relname) as name from pg_class c join pg_namespace n on n.oid = relnamespace
    where relkind in ('r', 'p') and not relispartition and nspname not in ('pg_catalog', 'information_schema')`.execute(
    db,
  )
  assert.ok(tables.length > 60)
  for (const { name } of tables) {
    const { rows } = await sql<{
      row: Record<string, unknown>
    }>`select to_jsonb(t) as row from ${sql.raw(name)} t`.execute(db)
    for (const { row } of rows)
      for (const [column, value] of Object.entries(row))
        for (const text of textsIn(value))
          for (const secret of await contentsOf(text, key, auth)) {
            const at = `${name.replace(/^public\./, '')}.${column}`
            found.set(at, (found.get(at) ?? new Set()).add(secret))
          }
  }
  return found
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** In bytes. Shorter content would too often look like text by chance when another key decrypts it. */
const shortestContent = 16

/** The content of a text in one of the two sealed forms. AES-GCM decrypts without its tag, so no purpose is needed. */
async function contentsOf(text: string, key: Buffer, auth: AuthSecrets): Promise<string[]> {
  const contents: string[] = []
  if (/^[0-9a-f]{82,}$/.test(text)) contents.push(await auth.open(text).catch(() => ''))
  const forms = [
    /^\\x[0-9a-f]+$/.test(text) ? Buffer.from(text.slice(2), 'hex') : undefined,
    /^[0-9a-f]+$/.test(text) ? Buffer.from(text, 'hex') : undefined,
    /^[\w-]+$/.test(text) ? Buffer.from(text, 'base64url') : undefined,
    /^[A-Za-z0-9+/]+=*$/.test(text) ? Buffer.from(text, 'base64') : undefined,
  ]
  for (const bytes of forms) {
    if (bytes === undefined || bytes[0] !== 1 || bytes.length < 1 + 12 + shortestContent + 16) continue
    for (const sealing of [key, tsigSealingKey(key)]) {
      const plain = createDecipheriv('aes-256-gcm', sealing, bytes.subarray(1, 13)).update(bytes.subarray(13, -16))
      // Another key decrypts it to bytes that are not UTF-8, which become U+FFFD.
      if (/^[\x20-\x7e\n\u00a0-\ufffc]+$/.test(plain.toString())) contents.push(plain.toString())
    }
  }
  return contents.filter((content) => content !== '')
}

test('the list has exactly the columns of a released database with sealed content', async () => {
  const { db } = await released()
  const found = await sealedIn(db, old)
  assert.deepEqual([...found.keys()].sort(), Object.keys(sealedColumns).sort())
})

test('nothing outside the list can be sealed, and only two files contain sealing code', () => {
  const box = new SecretBox(old)
  // @ts-expect-error: not in the list
  assert.throws(() => box.seal('zones.name', 'zon_1', 'secret'), TypeError)
  // @ts-expect-error: better-auth seals it
  assert.throws(() => box.open('audit_log.summary', 1, Buffer.alloc(40)), TypeError)
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const sealing = globSync('{src,bin}/**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('src/testing/'))
    .filter((file) =>
      /createCipher|symmetricEncrypt|createSecretKey|subtle\.encrypt/.test(readFileSync(`${root}${file}`, 'utf8')),
    )
  assert.deepEqual(sealing.sort(), ['src/modules/accounts/auth-secrets.ts', 'src/platform/secrets.ts'])
})

test('reseal-secrets reseals every column, even after an interruption, and changes no content', async () => {
  const { db } = await released()
  const before = await sealedIn(db, old)
  const during = platformWith(db, replacement, old)
  let lines = 0
  const killed = resealSecrets(during, () => {
    lines++
    if (lines === 4) throw new Error('killed')
  })
  await assert.rejects(killed, /killed/)
  assert.match(
    (await secretFindings(during))[0]?.says ?? '',
    /^\d+ values in the database are still sealed with SECRET_KEY_FALLBACK\.$/,
  )
  const { isDone, says } = await resealSecrets(during, () => undefined)
  assert.ok(isDone, says)
  assert.match(
    says,
    /^All \d+ sealed values .* SECRET_KEY; [1-9]\d* of them were sealed again now\. The database no longer needs SECRET_KEY_FALLBACK\.$/,
  )
  assert.deepEqual(await sealedIn(db, replacement), before)
  assert.deepEqual((await sealedIn(db, old)).size, 0)
  const after = platformWith(db, replacement)
  assert.match((await resealSecrets(after, () => undefined)).says, / 0 of them were sealed again now\.$/)
  assert.match((await secretFindings(after))[0]?.says ?? '', /^SECRET_KEY opens/)
})

test('without the key that sealed the values, the command changes nothing and reports the setting to correct', async () => {
  const { db } = await released()
  const before = await sealedIn(db, old)
  for (const [fallback, expected] of [
    [
      undefined,
      /^SECRET_KEY_FALLBACK is not set, but another key than SECRET_KEY sealed values in .*mails\.content \(\d+\).*\. Set it to the key that sealed them, and run this again\.$/,
    ],
    [
      randomBytes(32),
      /^SECRET_KEY_FALLBACK is not the former key: neither it nor SECRET_KEY opens values in account_two_factors/,
    ],
  ] as const) {
    const platform = platformWith(db, replacement, fallback)
    const { isDone, says } = await resealSecrets(platform, () => undefined)
    assert.match(says, expected)
    assert.equal(isDone, false)
    const [finding] = await secretFindings(platform)
    assert.equal(finding?.level, 'fault')
    for (const key of [replacement, fallback ?? old, old])
      assert.ok(!`${says}${finding?.says}`.includes(key.toString('base64').slice(0, 10)))
  }
  assert.deepEqual(await sealedIn(db, old), before)
})

test('also reseals a value that another transaction replaces in the meantime', async () => {
  const { db, url } = await released()
  const during = platformWith(db, replacement, old)
  const [order] = (await sql<{ id: string }>`select order_id as id from pay_links`.execute(db)).rows
  const id = order?.id ?? ''
  const newer = new SecretBox(old).seal('pay_links.token', id, 'a newer token')
  const done = asAnotherProcess(url).transact(async (tx) => {
    await sql`update pay_links set token = ${newer} where order_id = ${id}`.execute(tx)
    const resealed = resealSecrets(during, () => undefined)
    await eventually('it waits for the row', async () => {
      const { rows } = await sql`select from pg_locks where not granted`.execute(db)
      return rows.length > 0
    })
    return { resealed }
  })
  const { isDone, says } = await (await done).resealed
  assert.ok(isDone, says)
  const { rows } = await sql<{ token: Buffer }>`select token from pay_links where order_id = ${id}`.execute(db)
  assert.equal(
    new SecretBox(replacement).open('pay_links.token', id, rows[0]?.token ?? Buffer.alloc(0)),
    'a newer token',
  )
})
