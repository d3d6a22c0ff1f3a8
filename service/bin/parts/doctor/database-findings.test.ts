import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { sql, wakeApplication } from '#platform/postgres/index.ts'
import { migrate } from '#platform/postgres/migrate.ts'
import { cloneDatabase } from '#testing/platform/test-database.ts'
import { testPooler } from '#testing/platform/test-pooler.ts'
import { databaseFindings } from './database-findings.ts'

const owner = await cloneDatabase()
const role = `doctor_${new URL(owner.url).pathname.slice(1)}`
const url = new URL(owner.url)
url.username = role
url.password = 'of the service'
await sql.raw(`create role ${role} login password 'of the service'`).execute(owner.db)
after(() => asOwner(`drop owned by ${role}; drop role ${role}`))

async function asOwner(statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: owner.url })
  await client.connect()
  await client.query(statements).finally(() => client.end())
}

/** The finding about the role, with its level. After a fault, the doctor checks nothing else in the database. */
async function saidOfRole(): Promise<string | undefined> {
  const { findings, isFit } = await databaseFindings(url.href)
  const finding = findings.find(({ says }) => says.startsWith(`The role ${role}`))
  assert.equal(isFit, finding?.level !== 'fault')
  return finding && `${finding.level}: ${finding.says.replace(`The role ${role} `, '')}`
}

test('reports a role without any rights as a fault, and does not fail itself', async () => {
  assert.match((await saidOfRole()) ?? '', /^fault: lacks rights to account_\w+, .* and \d+ more\.$/)
})

test('after a migration, the service’s role has exactly the rights that it needs', async () => {
  await migrate(owner.url, { serviceRole: role })
  assert.equal(await saidOfRole(), 'ok: has exactly the rights that it needs.')
})

/** A change of rights, its reversal, and the finding in between. */
const differences: readonly { change: string; back: string; says: string }[] = [
  {
    change: 'revoke update on zones from ROLE; revoke delete on accounts from ROLE',
    back: 'grant update on zones to ROLE; grant delete on accounts to ROLE',
    says: 'fault: lacks rights to accounts, zones.',
  },
  {
    change: 'revoke create on schema pgboss from ROLE',
    back: 'grant create on schema pgboss to ROLE',
    says: 'fault: lacks rights to pgboss.',
  },
  {
    change: 'create table pgboss.version (version int)',
    back: 'drop table pgboss.version',
    says: 'fault: lacks rights to pgboss.',
  },
  {
    change: 'grant update on audit_log to ROLE; grant delete on ledger_entries to ROLE',
    back: 'revoke update on audit_log from ROLE; revoke delete on ledger_entries from ROLE',
    says: 'warning: has more rights than it needs on audit_log, ledger_entries.',
  },
  {
    change: 'grant truncate on all tables in schema public to ROLE',
    back: 'revoke truncate on all tables in schema public from ROLE',
    says: 'warning: has more rights than it needs on account_addresses, ',
  },
]

for (const { change, back, says } of differences) {
  test(`the doctor detects this change: ${change}`, async () => {
    const run = async (statements: string): Promise<void> => {
      for (const each of statements.replaceAll('ROLE', role).split('; ')) await sql.raw(each).execute(owner.db)
    }
    await run(change)
    const said = (await saidOfRole()) ?? ''
    assert.ok(said.startsWith(says), said)
    await run(back)
    assert.equal(await saidOfRole(), 'ok: has exactly the rights that it needs.')
  })
}

test('a right on a single partition is reported under the name of its parent table', async () => {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'audit_log'::regclass limit 1`.execute(
    owner.db,
  )
  await sql.raw(`grant delete on ${rows[0]?.name} to ${role}`).execute(owner.db)
  assert.equal(await saidOfRole(), 'warning: has more rights than it needs on audit_log.')
})

test('the owner of the schema may do more than the processes need to', async () => {
  const { findings } = await databaseFindings(owner.url)
  assert.ok(findings.some(({ level, says }) => level === 'warning' && / may change the schema/.test(says)))
})

test('warns if the running processes can exceed the connection limit of their role', async (t) => {
  const saidOfRoom = async (): Promise<string> => {
    const { findings } = await databaseFindings(url.href)
    const finding = findings.find(({ says }) => says.includes('running processes'))
    return `${finding?.level}: ${finding?.says}`
  }
  await sql.raw(`alter role ${role} connection limit 29`).execute(owner.db)
  t.after(() => sql.raw(`alter role ${role} connection limit -1`).execute(owner.db))
  const processes = [1, 2].map(() => new pg.Client({ connectionString: url.href, application_name: wakeApplication }))
  t.after(() => Promise.all(processes.map((each) => each.end())))
  const [first, second] = processes
  await first?.connect()
  assert.match(
    await saidOfRoom(),
    /^ok: .* allows the service 29 connections\. The running processes \(1\) use at most 15\.$/,
  )
  await second?.connect()
  assert.match(await saidOfRoom(), /^warning: .* The running processes \(2\) use at most 30\.$/)
})

test('each host of a list is reported, and one that is away is a warning', async () => {
  const { host } = new URL(owner.url)
  const { findings, isFit } = await databaseFindings(owner.url.replace(host, `127.0.0.1:1,${host}`))
  const hosts = findings.filter(({ says }) => says.startsWith('The PostgreSQL host'))
  assert.deepEqual(
    hosts.map(({ level, says }) => `${level}: ${says.replace(decodeURIComponent(host), 'HOST')}`),
    [
      'warning: The PostgreSQL host 127.0.0.1:1 cannot be reached (connect ECONNREFUSED 127.0.0.1:1).',
      'ok: The PostgreSQL host HOST accepts writes.',
    ],
  )
  assert.equal(isFit, true)
})

test('a pooler in transaction mode is a fault, and one in session mode a warning', async (t) => {
  const [transaction, session] = await Promise.all([
    testPooler(owner.url, 'transaction'),
    testPooler(owner.url, 'session'),
  ])
  t.after(() => Promise.all([transaction.close(), session.close()]))
  const refused = await databaseFindings(transaction.url)
  assert.deepEqual([refused.isFit, refused.findings.map(({ level }) => level)], [false, ['fault']])
  const taken = await databaseFindings(session.url)
  assert.equal(taken.isFit, true)
  assert.deepEqual(
    taken.findings.filter(({ says }) => says.includes('pooler')).map(({ level }) => level),
    ['warning'],
  )
})

test('a database that commits and has room is in order; one without room for 3 MB is reported', async (t) => {
  const saidOfWrites = async (): Promise<string> => {
    const { findings } = await databaseFindings(url.href)
    const { level, says } = findings.find((each) => /commits|store/.test(each.says)) ?? assert.fail('nothing is said')
    return `${level}: ${says}`
  }
  assert.equal(await saidOfWrites(), 'ok: PostgreSQL commits, and has room on its disk.')
  await sql.raw(`alter role ${role} set temp_file_limit = '1MB'`).execute(owner.db)
  t.after(() => sql.raw(`alter role ${role} reset temp_file_limit`).execute(owner.db))
  assert.equal(
    await saidOfWrites(),
    'fault: PostgreSQL cannot store anything: temporary file size exceeds "temp_file_limit" (1024kB).',
  )
})

test('reports a DNS door whose role lacks rights, including rights to single columns', async () => {
  const door = `${role}_door`
  await sql.raw(`create role ${door} login password 'of the door'`).execute(owner.db)
  await migrate(owner.url, { serviceRole: role, doorRole: door })
  const settings = new URL(owner.url)
  Object.assign(settings, { username: door, password: 'of the door' })
  const client = new pg.Client({ connectionString: settings.href, application_name: 'zonewright dns-door' })
  const said = async (): Promise<string[]> => {
    const { findings } = await databaseFindings(url.href)
    return findings.flatMap(({ level, says }) => (says.includes(door) ? [`${level}: ${says}`] : []))
  }
  assert.deepEqual(await said(), [], 'no door runs')
  await client.connect()
  try {
    assert.deepEqual(await said(), [])
    await asOwner(`revoke insert on audit_log from ${door}; revoke select (deleted_at) on accounts from ${door}`)
    assert.deepEqual(await said(), [
      `fault: The role ${door} of the DNS door lacks rights to accounts, audit_log, so DNS updates fail.`,
    ])
    await migrate(owner.url, { doorRole: door })
    assert.deepEqual(await said(), [])
  } finally {
    await client.end()
    await asOwner(`drop owned by ${door}; drop role ${door}`)
  }
})
