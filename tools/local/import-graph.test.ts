import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { ImportGraph, importsOf } from './import-graph.ts'

test('imports are read in every form that the formatter produces', () => {
  const source = `
import { readFile } from 'node:fs/promises'
import whole, { type One, two as other } from './a.ts'
import type { Three } from './b.ts'
import * as all from '#platform/c.ts'
import './d.ts'
import {
  four,
  type Five,
} from '@zonewright/dns'
export { six } from './e.ts'
export type { Seven } from './f.ts'
export * from './g.ts'
const later = await import('./h.ts')
// import { no } from './i.ts'
`
  assert.deepEqual(
    importsOf(source).map(({ specifier, names, isTypeOnly }) => [specifier, names, isTypeOnly]),
    [
      ['node:fs/promises', ['readFile'], false],
      ['./a.ts', ['default', 'One', 'two'], false],
      ['./b.ts', ['Three'], true],
      ['#platform/c.ts', ['*'], false],
      ['./d.ts', [], false],
      ['@zonewright/dns', ['four', 'Five'], false],
      ['./e.ts', ['six'], false],
      ['./f.ts', ['Seven'], true],
      ['./g.ts', ['*'], false],
      ['./h.ts', ['*'], false],
    ],
  )
})

/** A repository of two workspaces with these files. */
function graphOf(t: { after(work: () => void): void }, files: Readonly<Record<string, string>>): ImportGraph {
  const root = mkdtempSync(join(tmpdir(), 'zonewright-graph-'))
  t.after(() => rmSync(root, { recursive: true }))
  const all = {
    'package.json': '{"workspaces": ["packages/dns", "service"]}',
    'packages/dns/package.json':
      '{"name": "@zonewright/dns", "exports": {".": "./src/index.ts", "./deep": {"types": "./src/no.d.ts", "default": "./src/deep.ts"}}}',
    'service/package.json': '{"name": "@zonewright/service", "imports": {"#platform/*": "./src/platform/*"}}',
    ...files,
  }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return new ImportGraph(`${root}/`)
}

test('the files that a file loads are found through relative paths, aliases and packages, but not through types', (t) => {
  const graph = graphOf(t, {
    'service/src/a.ts': "import { b } from './b.ts'\nimport { c } from '#platform/c.ts'\nimport 'pg'\n",
    'service/src/b.ts': "import { dns } from '@zonewright/dns'\nimport type { D } from './d.ts'\n",
    'service/src/d.ts': "import { e } from './e.ts'\n",
    'service/src/e.ts': '',
    'service/src/platform/c.ts': "import { deep } from '@zonewright/dns/deep'\n",
    'packages/dns/src/index.ts': '',
    'packages/dns/src/deep.ts': '',
  })
  const loaded = ['packages/dns/src/deep.ts', 'packages/dns/src/index.ts']
  const service = ['service/src/a.ts', 'service/src/b.ts', 'service/src/platform/c.ts']
  assert.deepEqual([...graph.reachable('service/src/a.ts')].sort(), [...loaded, ...service])
  const types = ['service/src/d.ts', 'service/src/e.ts']
  assert.deepEqual(
    [...graph.reachable('service/src/a.ts', { types: true })].sort(),
    [...loaded, ...service, ...types].sort(),
  )
})

test('files that import each other in a circle are one group, even if only types complete the circle', (t) => {
  const graph = graphOf(t, {
    'service/src/a.ts': "import { b } from './b.ts'\n",
    'service/src/b.ts': "import type { C } from './c.ts'\n",
    'service/src/c.ts': "import { a } from './a.ts'\nimport { d } from './d.ts'\n",
    'service/src/d.ts': "import { e } from './e.ts'\n",
    'service/src/e.ts': "import { d } from './d.ts'\n",
    'service/src/f.ts': "import { a } from './a.ts'\n",
  })
  const groups = graph.circles(graph.files('service/src/**/*.ts'))
  assert.deepEqual(groups.map((group) => group.map((file) => file.slice(-4))).sort(), [
    ['a.ts', 'b.ts', 'c.ts'],
    ['d.ts', 'e.ts'],
  ])
})
