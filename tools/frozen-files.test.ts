import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { addToList, checkFrozen, type FrozenFolder, frozenFolders, listName } from './local/frozen-files.ts'

const made: string[] = []
after(() => {
  for (const path of made) rmSync(path, { recursive: true })
})

/** A folder of two listed migrations. */
async function frozen(): Promise<FrozenFolder> {
  const path = mkdtempSync(join(tmpdir(), 'zonewright-frozen-'))
  made.push(path)
  const folder = { name: 'migrations', path, endings: ['.sql'], instead: 'Write a new one.' }
  writeFileSync(join(path, '0001-first.sql'), 'select 1;\n')
  writeFileSync(join(path, '0002-second.sql'), 'select 2;\n')
  writeFileSync(join(path, listName), '{}\n')
  assert.deepEqual(await addToList(folder), ['0001-first.sql', '0002-second.sql'])
  assert.deepEqual(await checkFrozen(folder), [])
  return folder
}
const write = ({ path }: FrozenFolder, name: string, text: string) => writeFileSync(join(path, name), text)
const listOf = ({ path }: FrozenFolder) => readFileSync(join(path, listName), 'utf8')

for (const folder of frozenFolders)
  test(`every file of ${folder.name} is listed and matches its checksum`, async () => {
    assert.deepEqual(await checkFrozen(folder), [])
    assert.ok(Object.keys(JSON.parse(listOf(folder))).length > 0)
  })

for (const [what, text] of [
  ['a changed word', 'select 3;\n'],
  ['a byte more', 'select 1;\n\n'],
  ['a byte less', 'select 1;'],
  ['other line ends', 'select 1;\r\n'],
  ['a byte order mark', '\uFEFFselect 1;\n'],
  ['nothing in it', ''],
] as const)
  test(`a listed migration with ${what} is a fault, and stays one when new files are added`, async () => {
    const folder = await frozen()
    const before = listOf(folder)
    write(folder, '0001-first.sql', text)
    const fault = 'migrations/0001-first.sql differs from its checksum in checksums.json. Write a new one.'
    assert.deepEqual(await checkFrozen(folder), [fault])
    assert.deepEqual(await addToList(folder), [])
    assert.equal(listOf(folder), before)
    write(folder, '0003-third.sql', 'select 3;\n')
    assert.deepEqual(await addToList(folder), ['0003-third.sql'])
    assert.deepEqual(await checkFrozen(folder), [fault])
  })

test('a listed migration that is missing or renamed is a fault', async () => {
  const folder = await frozen()
  unlinkSync(join(folder.path, '0002-second.sql'))
  const missing = 'migrations/0002-second.sql is missing. Write a new one.'
  assert.deepEqual(await checkFrozen(folder), [missing])
  write(folder, '0002-renamed.sql', 'select 2;\n')
  const unlisted = 'migrations/0002-renamed.sql is not in checksums.json. Run `npm run migrations` and commit the list.'
  assert.deepEqual(await checkFrozen(folder), [missing, unlisted])
  await addToList(folder)
  assert.deepEqual(await checkFrozen(folder), [missing])
})

test('a migration that is not listed is a fault until it is added, and adding keeps the other entries', async () => {
  const folder = await frozen()
  const before = JSON.parse(listOf(folder))
  write(folder, '0000-before.sql', 'select 0;\n')
  assert.deepEqual(await checkFrozen(folder), [
    'migrations/0000-before.sql is not in checksums.json. Run `npm run migrations` and commit the list.',
  ])
  assert.deepEqual(await addToList(folder), ['0000-before.sql'])
  assert.deepEqual(await checkFrozen(folder), [])
  const { '0000-before.sql': added, ...others } = JSON.parse(listOf(folder))
  assert.match(added, /^[0-9a-f]{64}$/)
  assert.deepEqual(others, before)
})

for (const [what, text] of [
  ['no list', undefined],
  ['a list with the marks of a merge', '<<<<<<< HEAD\n{}\n'],
  ['a list of names alone', '["0001-first.sql"]'],
  ['an entry without a checksum', '{"0001-first.sql": null}'],
  ['a checksum that is cut', '{"0001-first.sql": "abc"}'],
] as const)
  test(`with ${what} nothing is written, and the message says to restore it`, async () => {
    const folder = await frozen()
    if (text === undefined) unlinkSync(join(folder.path, listName))
    else write(folder, listName, text)
    await assert.rejects(checkFrozen(folder), /^Error: migrations\/checksums\.json .*Restore it/)
    await assert.rejects(addToList(folder), /Restore it/)
    if (text !== undefined) assert.equal(listOf(folder), text)
  })
