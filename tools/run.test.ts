import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'

const launcher = fileURLToPath(new URL('run.cjs', import.meta.url))

test('what the launcher runs keeps its compiled code for the next run', () => {
  const script = join(mkdtempSync(join(tmpdir(), 'zonewright-run-')), 'script.mjs')
  writeFileSync(
    script,
    `import { getCompileCacheDir } from 'node:module'; process.stdout.write(getCompileCacheDir() ?? '')`,
  )
  const { NODE_COMPILE_CACHE: _, ...env } = process.env
  const kept = execFileSync(process.execPath, [launcher, script], { encoding: 'utf8', env })
  assert.ok(existsSync(kept), kept)
})
