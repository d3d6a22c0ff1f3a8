import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { pages } from './pages.ts'

test('every page that mails lead to is one of the dashboard', () => {
  const router = readFileSync(new URL('../../../../../dashboard/src/router.tsx', import.meta.url), 'utf8')
  const paths = [...router.matchAll(/path: '(\/[^']*)'/g)].flatMap(([, path]) => path ?? [])
  assert.ok(paths.length > 20, `only ${paths.length} pages were found in the dashboard's router`)
  for (const [name, page] of Object.entries(pages)) {
    const led = page('https://dns.example.net', 'x').replace('https://dns.example.net/app', '').replace(/\/x$/, '/$')
    const isThere = paths.some((path) => path.replace(/\$\w+/, '$') === led)
    assert.ok(isThere, `${name} leads to ${led}, which the dashboard does not have`)
  }
})
