import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { cloneDatabase } from '#testing/platform/test-database.ts'
import { openDatabase, sql } from './db.ts'
import { DuePolls } from './due-polls.ts'

const { url } = await cloneDatabase()
const database = openDatabase(url, { application: 'zonewright test', connections: 2 })
after(() => database.close())

test('polls at about the same time share one statement, and each gets its own answer', async () => {
  let statements = 0
  const polls = new DuePolls(async (questions) => {
    statements += 1
    const { rows } = await sql<{ found: boolean[] }>`select ${questions} as found`.execute(database.db)
    return rows[0]?.found ?? []
  })
  const asked = [sql`1 = 1`, sql`1 = 2`, sql`null::int = 1`, sql`exists (select)`].map((question) =>
    polls.add(question),
  )
  assert.deepEqual(await Promise.all(asked.map((look) => look())), [true, false, false, true])
  assert.equal(statements, 1)
  assert.equal(await asked[3]?.(), true)
  assert.equal(statements, 2)
})

test('a condition may depend on what the process knows at the time of the poll', async () => {
  let known = 1
  const isMore = database.pollFor(() => sql`2 > ${known}::int8`)
  assert.equal(await isMore(), true)
  known = 2
  assert.equal(await isMore(), false)
})

test('if the statement fails, every poll fails with it, and the next one queries again', async () => {
  const look = database.pollFor(sql`1 / (select count(*) from mails) = 1`)
  const other = database.pollFor(sql`true`)
  const outcomes = await Promise.allSettled([look(), other()])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  await sql`insert into mails (id, kind, to_address, content, give_up_at, due_at)
    values ('mail_looks', 'test', 'a@b.example', '', app_now(), app_now())`.execute(database.db)
  assert.deepEqual(await Promise.all([look(), other()]), [true, true])
})
