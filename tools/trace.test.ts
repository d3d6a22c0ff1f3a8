import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

function trace(...args: readonly string[]): { status: number | null; said: string } {
  const script = fileURLToPath(new URL('../bench/src/trace.ts', import.meta.url))
  const { status, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' })
  return { status, said: stderr }
}

test('a query passes through the files that its page lists; npm run nightly checks the other flows', () => {
  assert.deepEqual(trace('packet', '--check'), { status: 0, said: '' })
})

test('an unknown flow is refused with a list of the traced ones', () => {
  assert.deepEqual(trace('puts'), {
    status: 1,
    said: 'There is no flow puts. Choose from put, event, order, packet.\n',
  })
})
