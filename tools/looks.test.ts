// docs/looks.md lists the pictures that the browser tests keep.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

test('docs/looks.md lists every picture that the browser tests keep, once', () => {
  const files = globSync(['system-tests/dashboard/*.test.ts', 'system-tests/flows/the-dashboard.test.ts'], {
    cwd: root,
  })
  const kept = files.flatMap((file) =>
    [...read(file).matchAll(/\.check\((['`])(.+?)\1\)/g)].map(([, , name = '']) => name),
  )
  assert.ok(kept.length > 100)
  const listed = [...read('docs/looks.md').matchAll(/^\| (`.+?) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  )
  assert.deepEqual(listed.toSorted(), [...new Set(listed)].sort())
  const patterns = [...new Set(kept)].map((name) => new RegExp(`^${name.replaceAll(/\$\{.+\}/g, '[a-z0-9-]+')}$`))
  assert.deepEqual(
    patterns.filter((pattern) => !listed.some((name) => pattern.test(name))),
    [],
    'pictures that the page does not list',
  )
  assert.deepEqual(
    listed.filter((name) => !patterns.some((pattern) => pattern.test(name))),
    [],
    'pictures that no test keeps',
  )
})
