// `npm run ci`: every gate in one order, on a laptop and in .ci/run alike. Ends with the tests' tally.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const node = process.execPath

/** A gate: what it proves, and the command that proves it. */
const gates: readonly { proves: string; command: readonly string[] }[] = [
  { proves: 'format, lint and import rules', command: ['node_modules/@biomejs/biome/bin/biome', 'ci', '.'] },
  { proves: 'types', command: ['node_modules/typescript/bin/tsc', '-b'] },
  { proves: 'no unused code or packages', command: ['node_modules/knip/bin/knip.js'] },
  { proves: 'openapi.json is what the routes say', command: ['tools/openapi.ts', '--check'] },
  { proves: 'tests', command: ['tools/test.ts'] },
  { proves: 'conformance', command: ['tools/conformance.ts'] },
]

let failed = 0
for (const { proves, command } of gates) {
  process.stdout.write(`\n── ${proves}\n`)
  const { status } = spawnSync(node, [...command], { cwd: root, stdio: 'inherit' })
  if (status !== 0) failed += 1
  process.stdout.write(status === 0 ? `ok: ${proves}\n` : `FAILED: ${proves}\n`)
}
process.stdout.write(failed === 0 ? '\nEvery gate passed.\n' : `\n${failed} gates failed.\n`)
process.exitCode = failed === 0 ? 0 : 1
