import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { drillParts } from './drill-parts.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const named = drillParts.flatMap(({ command }) => command.filter((argument) => argument.endsWith('.ts')))

test('every drill is in a part, and every file that a part names exists', () => {
  const drills = globSync('system-tests/drills/*.test.ts', { cwd: root })
  assert.deepEqual(
    drills.filter((file) => !named.includes(file)),
    [],
  )
  assert.deepEqual(
    named.filter((file) => !existsSync(join(root, file))),
    [],
  )
})
