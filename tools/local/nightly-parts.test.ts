import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { nightlyParts } from './nightly-parts.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folders = '{packages,nameserver,sandbox,service,dashboard,system-tests}'
/** The files that the program of a part runs if none are named. */
const ofConformance = [
  'packages/*/src/*.conformance.ts',
  'service/src/testing/fuzz/*.fuzz.ts',
  'system-tests/conformance/*.test.ts',
]
/** Some tests of a file, or some of their values, run only at night. */
const differsAtNight = /process\.env\['NIGHTLY'\]|\b(?:isNightly|nightlyTest|shellNames|testedDevices)\b/

/** The globs of the files that run in full. */
const inFull = nightlyParts
  .filter(({ env }) => env?.['NIGHTLY'] !== undefined)
  .flatMap(({ command: [program, ...globs] }) => (program === 'tools/conformance.ts' ? ofConformance : globs))

const differing = globSync(`${folders}/**/*.{test,conformance,fuzz}.ts`, { cwd: root })
  .filter((file) => !file.includes('node_modules'))
  .filter((file) => differsAtNight.test(readFileSync(`${root}/${file}`, 'utf8')))

test('every test that does less by day runs in full at night', () => {
  assert.ok(differing.length > 10, `only ${differing.length} files`)
  const missing = differing.filter((file) => !inFull.some((glob) => matchesGlob(file, glob)))
  assert.deepEqual(missing, [], 'name them in tools/local/nightly-parts.ts')
})

test('every file that a part names exists', () => {
  for (const { command } of nightlyParts)
    for (const glob of command.filter((argument) => argument.endsWith('.ts')))
      assert.notDeepEqual(globSync(glob, { cwd: root }), [], glob)
})

test('each part has a limit, and all of them end within the limit of the workflow', () => {
  const [, limit] = /timeout-minutes: (\d+)/.exec(readFileSync(`${root}/.github/workflows/nightly.yml`, 'utf8')) ?? []
  const minutes = nightlyParts.map(({ withinMinutes }) => withinMinutes ?? Number.POSITIVE_INFINITY)
  const sum = minutes.reduce((total, each) => total + each, 0)
  assert.ok(sum < Number(limit), `${sum} minutes, and the workflow ends after ${limit}`)
})

test('a word that matches no part is refused with the names of the parts', () => {
  const { status, stderr } = spawnSync(process.execPath, ['tools/nightly.ts', 'no-such-part'], {
    cwd: root,
    encoding: 'utf8',
  })
  assert.equal(status, 1)
  for (const { proves } of nightlyParts) assert.ok(stderr.includes(`\n  ${proves}\n`), stderr)
})
