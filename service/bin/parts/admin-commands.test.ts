import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Platform } from '#compose/platform.ts'
import { actorNamed } from '#platform/caller.ts'
import { sql } from '#platform/postgres/index.ts'
import { cloneDatabase } from '#testing/platform/test-database.ts'
import { printed } from './admin-command.ts'
import { allCommands, commandIn } from './admin-commands.ts'

const database = await cloneDatabase()
const nameservers = [
  { name: 'ns1.zonewright.test', host: '127.0.0.1', port: 9 },
  { name: 'ns2.zonewright.test', host: '127.0.0.1', port: 9 },
]
/** The part of the platform that these commands use. */
const platform = {
  configuration: {
    nameservers,
    freeParents: ['github.io'],
    verificationResolver: [],
    delegationResolver: { host: '127.0.0.1', port: 9 },
  },
} as unknown as Platform

// biome-ignore lint/suspicious/noExplicitAny: each command prints something else
async function run(name: string, ...args: string[]): Promise<any> {
  const found = await commandIn([...name.split(' '), ...args])
  assert.ok(found, name)
  return await database.transact((tx) => found.command.run(tx, actorNamed('operator', 'ada'), found.args, platform))
}

const email = 'many@example.net'
await run('account create', email)
const add = (...names: string[]) => run('zone add', email, ...names)

async function audited(action: string): Promise<string[]> {
  const { rows } = await sql<{ summary: string }>`
    select summary from audit_log where action = ${action} and actor_name = 'ada' order by id`.execute(database.db)
  return rows.map(({ summary }) => summary)
}

test('commandIn finds every command by its name, and nothing else', async () => {
  for (const [name, command] of Object.entries(await allCommands()))
    assert.deepEqual(await commandIn([...name.split(' '), 'given']), { command, args: ['given'] }, name)
  for (const words of [[], [''], ['account'], ['account', 'destroy'], ['constructor'], ['create', 'account']])
    assert.equal(await commandIn(words), undefined, words.join(' '))
})

test('docs/reference/commands.md has every command', async () => {
  const page = readFileSync(new URL('../../../docs/reference/commands.md', import.meta.url), 'utf8')
  const listed = [...page.matchAll(/^node tools\/run\.cjs service\/bin\/admin\.ts ([a-z-]+)(?: ([a-z|]+))?/gm)].flatMap(
    ([, noun, verbs]) => verbs?.split('|').map((verb) => `${noun} ${verb}`) ?? [noun],
  )
  assert.deepEqual(listed.sort(), ['doctor', 'reseal-secrets', ...Object.keys(await allCommands())].sort())
})

test('an operator changes the zone limit of an account or resets it, and the audit log records it', async () => {
  assert.deepEqual(await run('account limit', email, '2'), { zone_limit: 2 })
  await add('one.example', 'two.example')
  await assert.rejects(add('three.example'), { code: 'zone_limit', message: /can have at most 2 zones/ })
  await run('account limit', email, '3')
  await add('three.example')
  await run('account limit', email, '1')
  await assert.rejects(add('four.example'), { code: 'zone_limit' })
  assert.deepEqual(await run('account limit', email, 'default'), { zone_limit: 1_000 })
  await add('four.example')
  assert.deepEqual(
    await audited('account.limit_changed'),
    ['2 zones', '3 zones', '1 zones', 'the default'].map(
      (many) => `The zone limit of account ${email} was set to ${many}`,
    ),
  )
  for (const [who, most] of [
    [email, '0'],
    [email, 'x'],
    [email, ''],
    ['nobody@example.net', '5'],
  ] as const)
    await assert.rejects(run('account limit', who, most), { code: most === '5' ? 'not_found' : 'validation_failed' })
})

test('an operator changes the DNS update limit of an account’s keys or resets it', async () => {
  assert.deepEqual(await run('update-limit', email, '1000'), { updates_per_minute: 1_000 })
  assert.deepEqual(await run('update-limit', email, 'default'), { updates_per_minute: 300 })
  assert.deepEqual(await audited('account.update_limit_changed'), [
    `The update limit of the keys of account ${email} was set to 1000 a minute`,
    `The update limit of the keys of account ${email} was set to the default`,
  ])
  for (const most of ['0', '1001'])
    await assert.rejects(run('update-limit', email, most), { code: 'validation_failed' })
})

test('an operator sets the daily change budget of an account or resets it, and the audit log says so', async () => {
  assert.deepEqual(await run('account budget', email, '5000000000'), { daily_change_bytes: 5_000_000_000 })
  const { rows } = await sql`select daily_change_bytes from accounts where email = ${email}`.execute(database.db)
  assert.deepEqual(rows, [{ daily_change_bytes: 5_000_000_000 }])
  assert.deepEqual(await run('account budget', email, 'default'), { daily_change_bytes: 1_000_000_000 })
  assert.deepEqual(
    await audited('account.budget_changed'),
    ['5000000000 bytes', 'the default'].map((many) => `The daily change limit of account ${email} was set to ${many}`),
  )
  for (const [who, most] of [
    [email, '-1'],
    [email, '1.5'],
    [email, '1GB'],
    [email, ''],
    [email, '9000000000000000'],
    ['nobody@example.net', '5'],
  ] as const)
    await assert.rejects(run('account budget', who, most), { code: most === '5' ? 'not_found' : 'validation_failed' })
})

test('an operator can host the parent domains of free subdomains, even if they are public suffixes', async () => {
  assert.deepEqual(
    (await add('GitHub.io')).map(({ zone }: { zone: string }) => zone),
    ['github.io'],
  )
  await assert.rejects(add('gitlab.io'), { code: 'validation_failed', message: /public suffix/ })
})

test('an operator can host the nameservers’ zone and names in it, but never the catalog zone', async () => {
  for (const name of ['zonewright.test', 'ns1.zonewright.test', 'verify.zonewright.test'])
    assert.equal((await add(name))[0].zone, name)
  for (const name of [
    'catalog.zonewright.invalid',
    'Catalog.Zonewright.Invalid.',
    'zonewright.invalid',
    'x.catalog.zonewright.invalid',
  ])
    await assert.rejects(add(name), { code: 'validation_failed', message: /reserved for the service/ }, name)
})

test('an operator changes the record set limit of a zone or resets it, and the audit log records it', async () => {
  await add('large.example')
  assert.deepEqual(await run('zone limit', 'large.example', '20000'), { zone: 'large.example', rrset_limit: 20_000 })
  const { rows } = await sql`select rrset_limit from zones where name = 'large.example'`.execute(database.db)
  assert.deepEqual(rows, [{ rrset_limit: 20_000 }])
  assert.deepEqual(await run('zone limit', 'large.example', 'default'), { zone: 'large.example', rrset_limit: 10_000 })
  assert.deepEqual(
    await audited('zone.limit_changed'),
    [20_000, 10_000].map((most) => `The record set limit of zone large.example was set to ${most} record sets`),
  )
  await assert.rejects(run('zone limit', 'large.example', '-1'), { code: 'validation_failed' })
  await assert.rejects(run('zone limit', 'nowhere.example', '5'), { code: 'not_found' })
})

test('rejects a number of keys that is zero, too large or not a whole number', async () => {
  for (const copies of ['x', '0', '1.5', '10001'])
    await assert.rejects(run('key create', email, 'ci', '--copies', copies), { code: 'validation_failed' }, copies)
  assert.equal((await run('key create', email, 'ci', '--copies', '2')).length, 2)
})

test('a key that an operator creates for names covers only the account’s own zones and domains', async () => {
  await run('account create', 'picks@example.net')
  await run('account create', 'others@example.net')
  await run('zone add', 'picks@example.net', 'picked.example', 'both.example')
  await run('zone add', 'others@example.net', 'others.example')
  await sql`insert into domains (name, tld, account_id, state, order_id, auto_renew)
    select label, 'example', id, 'held', 'ord_1', false from accounts, unnest(array['both.example', 'domain.example']) as names (label)
    where email = 'picks@example.net'`.execute(database.db)
  const make = (names: string) =>
    run('key create', 'picks@example.net', `for ${names}`, '--zones', names, '--permissions', 'domains:read')
  const covered = async (names: string): Promise<string[]> => {
    const { id } = await make(names)
    const { rows } = await sql<{ entry: string }>`
      select 'zone ' || z.name as entry from api_key_zones join zones z on z.id = zone_id where key_id = ${id} union all
      select 'domain ' || d.name from api_key_domains join domains d on d.id = domain_id where key_id = ${id}`.execute(
      database.db,
    )
    return rows.map(({ entry }) => entry).sort()
  }
  assert.deepEqual(await covered('picked.example,both.example'), [
    'domain both.example',
    'zone both.example',
    'zone picked.example',
  ])
  assert.deepEqual(await covered('Domain.Example.'), ['domain domain.example'])
  for (const names of ['others.example', 'picked.example,others.example', 'nowhere.example', '', 'all,picked.example'])
    await assert.rejects(make(names), { code: 'not_found' }, names)
})

test('printed output contains no control or bidirectional characters except line breaks', () => {
  const text = printed([
    { name: 'a\u202eb', rows: ['c\nd', '\u009b31m', 7, null] },
    { name: 'e\u2069', at: new Date(0) },
  ])
  assert.deepEqual(JSON.parse(text), [
    { name: 'a\\u202eb', rows: ['c\\u000ad', '\\u009b31m', 7, null] },
    { name: 'e\\u2069', at: '1970-01-01T00:00:00.000Z' },
  ])
  assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u)
})

test('operators cannot write control or bidirectional characters where others read them', async () => {
  for (const character of ['\u202e', '\n', '\u0007', '\u2028', '\u200f'])
    for (const [command, ...args] of [
      ['account create', 'new@example.net', `A${character}da`],
      ['key create', email, `dep${character}loy`],
      ['credit grant', email, '100', 'for', `pa${character}tience`],
      ['order mark', 'ord_1', 'refused', `no${character}t so`],
      ['domain mark', 'shop.test', 'done', `as${character}told`],
      ['domain restore', 'shop.test', `by${character}mistake`],
    ] as const)
      await assert.rejects(
        run(command, ...args),
        { code: 'validation_failed', message: /Remove the character U\+/ },
        `${command} ${JSON.stringify(character)}`,
      )
})
