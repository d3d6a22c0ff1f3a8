import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { copySource } from './source-copy.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('a copy has the sources, its own workspaces and the packages of the checkout', (t) => {
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'zonewright-copy-')))
  t.after(() => rmSync(copy, { recursive: true, force: true }))
  copySource(root, copy)
  const here = 'tools/local/source-copy.test.ts'
  assert.equal(readFileSync(join(copy, here), 'utf8'), readFileSync(join(root, here), 'utf8'))
  const program =
    "for (const name of ['@zonewright/epp', '#modules/orders/index.ts', 'pg']) console.log(import.meta.resolve(name))"
  const resolved = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: join(copy, 'service'),
    encoding: 'utf8',
  })
  const [epp = '', orders = '', pg = ''] = resolved.split('\n').map((url) => url && fileURLToPath(url))
  assert.ok(epp.startsWith(join(copy, 'packages/epp/')), epp)
  assert.ok(orders.startsWith(join(copy, 'service/src/')), orders)
  assert.ok(!pg.startsWith(copy), pg)
})
