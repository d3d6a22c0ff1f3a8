import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runToFirstFailure } from './first-failure.ts'

const root = mkdtempSync(join(tmpdir(), 'zonewright-first-failure-'))
after(() => rmSync(root, { recursive: true, force: true }))
const place = { root, env: {}, limitMs: 60_000 }

function file(name: string, text: string): string {
  writeFileSync(join(root, name), `import { test } from 'node:test'\n${text}`)
  return name
}

const good = file('good.test.ts', "test('one', () => {})\ntest('two', () => {})\n")
const bad = file(
  'bad.test.ts',
  "test('is fine', () => {})\ntest('is not', () => { throw new Error() })\ntest('never ends', () => new Promise(() => setInterval(() => {}, 1e6)))\n",
)

test('a run passes if all of its tests pass', async () => {
  assert.equal((await runToFirstFailure({ tests: [good] }, place)).kind, 'passed')
  assert.equal((await runToFirstFailure({ tests: [bad], only: 'is fine' }, place)).kind, 'passed')
})

test('the first failed test ends the run, even if another one never ends', async () => {
  assert.deepEqual(await runToFirstFailure({ tests: [bad] }, place), { kind: 'failed', test: 'is not' })
})

test('a run whose tests do not end in time is late', async () => {
  const end = await runToFirstFailure({ tests: [bad], only: 'never ends' }, { ...place, limitMs: 1_000 })
  assert.deepEqual(end, { kind: 'late' })
})

test('a run without tests fails, and so does a file that cannot be loaded', async () => {
  assert.deepEqual(await runToFirstFailure({ tests: [good], only: 'three' }, place), {
    kind: 'failed',
    test: 'no test ran',
  })
  const broken = file('broken.test.ts', "import './not-there.ts'\n")
  assert.deepEqual(await runToFirstFailure({ tests: [broken] }, place), { kind: 'failed', test: broken })
})
