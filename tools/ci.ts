// `npm run ci`: every gate in one order, on a laptop and in .ci/run alike. Closes with the tally of all tests.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A gate: what it proves, and the command that proves it. */
const gates: readonly { proves: string; command: readonly string[] }[] = [
  { proves: 'released migrations have not changed', command: ['tools/migrations.ts', '--check'] },
  { proves: 'tests', command: ['tools/test.ts'] },
  { proves: 'format, lint and import rules', command: ['node_modules/@biomejs/biome/bin/biome', 'ci', '.'] },
  { proves: 'types', command: ['node_modules/typescript/bin/tsc', '-b'] },
  { proves: 'no unused code or packages', command: ['node_modules/knip/bin/knip.js'] },
  { proves: 'few production packages, each with a reason', command: ['tools/counts.ts'] },
  { proves: 'openapi.json is what the contract says', command: ['tools/openapi.ts', '--check'] },
  { proves: 'docs/tables.md is what the migrations make', command: ['tools/tables.ts', '--check'] },
  {
    proves: 'no request of any shape breaks the API',
    command: ['tools/test.ts', 'service/src/testing/fuzz/*.fuzz.ts'],
  },
  { proves: 'the dashboard in a browser', command: ['tools/test.ts', 'system-tests/dashboard/*.test.ts'] },
  { proves: 'conformance', command: ['tools/conformance.ts'] },
]

let passed = 0
let failed = 0
for (const { proves, command } of gates) {
  process.stdout.write(`\n── ${proves}\n`)
  const began = performance.now()
  const { code, tally } = await run(command)
  const seconds = Math.round((performance.now() - began) / 1_000)
  passed += tally.passed
  // A gate that fails without a failed test has failed all the same.
  failed += code === 0 ? tally.failed : Math.max(tally.failed, 1)
  process.stdout.write(`${code === 0 ? 'ok' : 'FAILED'}: ${proves} (${seconds} s)\n`)
}
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1

/** Runs a command, printing what it prints; its tally is the last one that it prints. */
async function run(command: readonly string[]): Promise<{ code: number; tally: { passed: number; failed: number } }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...command], {
    cwd: root,
    // Tests that need the data beside the repository fail without it.
    env: { ...process.env, CI: 'true' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed = (printed + text).slice(-10_000)
    process.stdout.write(text)
  })
  const code = await new Promise<number>((resolve) => child.once('close', (status) => resolve(status ?? 1)))
  const [, ok = '0', bad = '0'] = [...printed.matchAll(/^(?:\w+: )?(\d+) passed, (\d+) failed$/gm)].at(-1) ?? []
  return { code, tally: { passed: Number(ok), failed: Number(bad) } }
}
