import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { locksPage, rowLocks } from './local/locks.ts'

test('the table that a statement locks is found', () => {
  for (const [statement, table, skips] of [
    ['select 1 from accounts where id = #{id} for no key update', 'accounts', false],
    ['select 1 from domains where id = any(#{ids}) order by id for share', 'domains', false],
    [
      'select from zone_sightings s join nameservers n on n.name = s.nameserver for update of s',
      'zone_sightings',
      false,
    ],
    ['select from orders as o join payments p on p.order_id = o.id for update of p skip locked', 'payments', true],
    [
      'update mails set x = 1 where id = any(array(select id from mails limit #{max} for update skip locked))',
      'mails',
      true,
    ],
    ['select 1 from zones where exists (select from rrsets where #{a(#{b})}) for update', 'zones', false],
    ['with a as (select from keys) select #{f({ a: 1 })} from catalog for update', 'catalog', false],
  ] as const) {
    const source = `export async function lockIt(tx: Tx): Promise<void> {\n  await sql\`${statement.replaceAll('#{', '${')}\`.execute(tx)\n}\n`
    assert.deepEqual(rowLocks('a.ts', source), [{ table, file: 'a.ts', by: 'lockIt', skips }], statement)
  }
})

test('text that locks nothing is ignored', () => {
  for (const source of ['// for update', '`waits for updates`', "sql`select 'for' from zones`", "'for update'"])
    assert.deepEqual(rowLocks('a.ts', source), [])
})

/** The page of a service with one store with this statement, and with these advisory locks. */
function pageOf(statement: string, advisory: string): string {
  const root = mkdtempSync(join(tmpdir(), 'zonewright-locks-'))
  try {
    mkdirSync(join(root, 'service/src/platform/postgres'), { recursive: true })
    writeFileSync(
      join(root, 'service/src/platform/postgres/advisory-locks.ts'),
      `export const advisoryLocks = {\n${advisory}} as const\n`,
    )
    writeFileSync(join(root, 'service/src/store.ts'), `const it = sql\`${statement}\`\n`)
    return locksPage(root)
  } finally {
    rmSync(root, { recursive: true })
  }
}

const all = '  migrate: 1,\n  cloneTestDatabase: 2,\n  fanOut: 3,\n  publicationLeader: 4,\n'

test('the page lists each lock; a lock of a table without a place in the order is refused with what to do', () => {
  assert.match(pageOf('select from orders for update', all), /^\| `orders` \| by id \| `it` in store\.ts \|$/m)
  assert.match(pageOf('select from fresh for update skip locked', all), /^\| `fresh` \| `it` in store\.ts \|$/m)
  assert.throws(
    () => pageOf('select from fresh for update', all),
    /^Error: it in .*store\.ts locks rows of fresh, .* Add it in /,
  )
})

test('an advisory lock that the page does not describe is refused, and so is a description without a lock', () => {
  assert.throws(() => pageOf('select', `${all}  another: 5,\n`), /another.* Describe each\./)
  assert.throws(() => pageOf('select', all.replace('  migrate: 1,\n', '')), /Describe each\./)
})
