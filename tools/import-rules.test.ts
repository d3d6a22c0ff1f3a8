import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { isServiceRule, levelsTable, type Override, serviceRules } from './local/import-rules.ts'
import { moduleLevels } from './local/module-levels.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The findings of the linter, with our configuration, for files with these contents in a separate tree. */
function lintTree(
  files: Readonly<Record<string, string>>,
  ...options: string[]
): { status: number | null; said: string } {
  const tree = mkdtempSync(join(tmpdir(), 'zonewright-lint-'))
  try {
    const { vcs: _, $schema: __, ...configuration } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'))
    writeFileSync(join(tree, 'biome.json'), JSON.stringify(configuration))
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(tree, path)), { recursive: true })
      writeFileSync(join(tree, path), content)
    }
    const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
    const { status, stdout, stderr } = spawnSync(process.execPath, [biome, 'lint', ...options, '.'], {
      cwd: tree,
      encoding: 'utf8',
    })
    return { status, said: stdout + stderr }
  } finally {
    rmSync(tree, { recursive: true })
  }
}

function lint(path: string, content: string): { refused: boolean; said: string } {
  const { status, said } = lintTree({ [path]: content })
  return { refused: status !== 0 && said.includes('noRestrictedImports'), said }
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
  {
    rule: 'a module of no level imports none',
    path: 'service/src/modules/newcomer/planted.ts',
    imports: '#modules/audit/index.ts',
  },
  {
    rule: 'modules are handed what compose makes',
    path: 'service/src/modules/zones/planted.ts',
    imports: '#compose/outside.ts',
  },
  {
    rule: 'adapters know no module',
    path: 'service/src/adapters/epp/planted.ts',
    imports: '#modules/orders/index.ts',
  },
  { rule: 'http knows no module', path: 'service/src/http/planted.ts', imports: '#modules/zones/index.ts' },
  { rule: 'the platform knows no http', path: 'service/src/platform/planted.ts', imports: '#http/mount.ts' },
  { rule: 'modules see no harness', path: 'service/src/modules/zones/planted.ts', imports: '#testing/test-api.ts' },
  { rule: 'compose sees no harness', path: 'service/src/compose/planted.ts', imports: '#testing/test-api.ts' },
  { rule: 'ports know no adapter', path: 'service/src/ports/planted.ts', imports: '#adapters/epp/index.ts' },
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

test('an import that follows the rules is accepted', () => {
  const { refused, said } = lint(
    'service/src/modules/records/planted.ts',
    "import { absolute } from '#modules/zones/index.ts'\n\nexport const use = absolute\n",
  )
  assert.ok(!refused, said)
})

test('each module can import only the modules of lower levels', () => {
  const modules = moduleLevels.flat()
  const path = (module: string): string => `service/src/modules/${module}/planted.ts`
  const levelOf = (module: string): number => moduleLevels.findIndex((level) => level.includes(module))
  // A line for each import, so that a line says what was refused.
  const content = modules.map(
    (module) => `export type { X as ${variable(module)} } from '#modules/${module}/index.ts'\n`,
  )
  const { said } = lintTree(
    Object.fromEntries(modules.map((module) => [path(module), content.join('')])),
    '--only=style/noRestrictedImports',
    '--reporter=github',
    '--max-diagnostics=none',
  )
  for (const module of modules) {
    const refused = [...said.matchAll(/file=([^,]+),line=(\d+)/g)]
      .filter(([, file]) => file?.endsWith(path(module)))
      .map(([, , line]) => modules[Number(line) - 1])
    const higher = modules.filter((other) => levelOf(other) <= levelOf(module))
    assert.deepEqual(refused.toSorted(), higher.toSorted(), `what ${module} must not import`)
  }
})

test('every module has one level', () => {
  assert.deepEqual(moduleLevels.flat().toSorted(), readdirSync(join(root, 'service/src/modules')).sort())
})

test('biome.json and ARCHITECTURE.md match the levels', () => {
  const { overrides } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8')) as { overrides: Override[] }
  assert.deepEqual(overrides.filter(isServiceRule), serviceRules())
  assert.ok(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').includes(levelsTable()))
})

function variable(module: string): string {
  return module.replace('-', '_')
}
