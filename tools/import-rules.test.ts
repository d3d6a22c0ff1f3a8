import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What the linter, with our configuration, says of a file with this content at this place: in a tree of its own. */
function lint(path: string, content: string): { refused: boolean; said: string } {
  const tree = mkdtempSync(join(tmpdir(), 'zonewright-lint-'))
  try {
    const { vcs: _, $schema: __, ...configuration } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'))
    writeFileSync(join(tree, 'biome.json'), JSON.stringify(configuration))
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), content)
    const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
    const { status, stdout, stderr } = spawnSync(process.execPath, [biome, 'lint', path], {
      cwd: tree,
      encoding: 'utf8',
    })
    const said = stdout + stderr
    return { refused: status !== 0 && said.includes('noRestrictedImports'), said }
  } finally {
    rmSync(tree, { recursive: true })
  }
}

const planted: readonly { rule: string; path: string; imports: string }[] = [
  {
    rule: 'modules meet only at index.ts',
    path: 'service/src/modules/records/planted.ts',
    imports: '#modules/zones/store.ts',
  },
  { rule: 'a module folder is flat', path: 'service/src/modules/records/planted.ts', imports: '../zones/index.ts' },
  {
    rule: 'modules see ports, not adapters',
    path: 'service/src/modules/webhooks/planted.ts',
    imports: '#adapters/webhook-http/guard.ts',
  },
  {
    rule: 'zones is below records',
    path: 'service/src/modules/zones/planted.ts',
    imports: '#modules/records/index.ts',
  },
  { rule: 'events is below zones', path: 'service/src/modules/events/planted.ts', imports: '#modules/zones/index.ts' },
  { rule: 'the platform knows no module', path: 'service/src/platform/planted.ts', imports: '#modules/zones/index.ts' },
  { rule: 'packages/dns imports no one', path: 'packages/dns/src/planted.ts', imports: 'node:fs' },
  { rule: 'packages/epp imports no one', path: 'packages/epp/src/planted.ts', imports: '@zonewright/dns' },
  { rule: 'packages/contract imports zod alone', path: 'packages/contract/src/planted.ts', imports: '@zonewright/dns' },
  { rule: 'webhook-verify has no dependency', path: 'packages/webhook-verify/src/planted.ts', imports: 'node:crypto' },
  {
    rule: 'parts of the dashboard know nothing above them',
    path: 'dashboard/src/components/planted.ts',
    imports: '../pages/zones-page.tsx',
  },
  {
    rule: 'the dashboard’s decisions know no part that shows them',
    path: 'dashboard/src/util/planted.ts',
    imports: '../ui/copy.tsx',
  },
  { rule: 'the nameserver stands alone', path: 'nameserver/src/planted.ts', imports: '@zonewright/contract' },
]

for (const { rule, path, imports } of planted) {
  test(`an import that breaks the rule is refused: ${rule}`, () => {
    const { refused, said } = lint(path, `import { planted } from '${imports}'\n\nexport const use = planted\n`)
    assert.ok(refused, said)
  })
}

test('an import that keeps the rules is let through', () => {
  const { refused, said } = lint(
    'service/src/modules/records/planted.ts',
    "import { absolute } from '#modules/zones/index.ts'\n\nexport const use = absolute\n",
  )
  assert.ok(!refused, said)
})
