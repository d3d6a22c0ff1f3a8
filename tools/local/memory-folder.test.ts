import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { memoryFolder } from './memory-folder.ts'

function placeOf(t: TestContext): string {
  const place = mkdtempSync(join(tmpdir(), 'zonewright-memory-'))
  t.after(() => rmSync(place, { recursive: true }))
  return place
}

test('a folder is created only where there is room for it', (t) => {
  const place = placeOf(t)
  assert.equal(memoryFolder(place, Number.POSITIVE_INFINITY), undefined)
  assert.equal(memoryFolder(join(place, 'missing'), 1), undefined)
  assert.deepEqual(readdirSync(place), [])
  const folder = memoryFolder(place, 1)
  assert.deepEqual(
    readdirSync(place).map((name) => join(place, name)),
    [folder],
  )
})

test('folders of processes that have ended are removed; all others stay', (t) => {
  const place = placeOf(t)
  const gone = spawnSync(process.execPath, ['--version']).pid
  for (const name of [`zonewright-test-${gone}-abc`, `zonewright-test-${process.pid}-abc`, 'PostgreSQL.1'])
    mkdirSync(join(place, name))
  assert.equal(memoryFolder(place, Number.POSITIVE_INFINITY), undefined)
  assert.deepEqual(readdirSync(place).sort(), ['PostgreSQL.1', `zonewright-test-${process.pid}-abc`])
})
