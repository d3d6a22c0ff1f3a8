// The nameserver imports nothing from the service, so some files exist twice.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Without the first line, in which each copy names the other. */
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8').replace(/^.*\n/, '')

for (const [ofService, ofNameserver] of [
  ['service/src/platform/log-lines.ts', 'nameserver/src/log-lines.ts'],
  ['service/src/platform/work/watchdog.ts', 'nameserver/src/watchdog/watchdog.ts'],
  ['service/src/platform/work/watchdog-thread.ts', 'nameserver/src/watchdog/watchdog-thread.ts'],
] as const)
  test(`${ofNameserver} is ${ofService}`, () => {
    assert.equal(textOf(ofNameserver), textOf(ofService))
  })
