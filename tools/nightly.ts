// `npm run nightly`: what takes too long for `npm run ci`, and whose behaviour a shorter test of `npm run ci` shows as well.
import { runGates } from './local/gates.ts'

await runGates([
  [{ proves: 'every module on the oldest PostgreSQL', command: ['tools/conformance.ts', 'modules'] }],
  [{ proves: 'flows pass through the files that their pages list', command: ['bench/src/trace.ts', '--check'] }],
  [{ proves: 'long tests', command: ['tools/test.ts', 'packages/**/*.nightly.ts', 'system-tests/nightly/*.test.ts'] }],
])
