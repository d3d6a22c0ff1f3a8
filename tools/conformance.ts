// `npm run conformance`: our files, answers and transfers before other people's programs.
import { ProgramsMissing } from './local/debian-programs.ts'
import { dnsPrograms } from './local/dns-programs.ts'
import { runTests } from './local/test-run.ts'

try {
  const env = dnsPrograms()
  const files = [
    'packages/dns/src/*.conformance.ts',
    'nameserver/src/**/*.conformance.ts',
    'system-tests/conformance/*.test.ts',
  ]
  const { passed, failed } = await runTests(files, { concurrency: 1, env })
  process.stdout.write(`\nconformance: ${passed} passed, ${failed} failed\n`)
  process.exitCode = failed === 0 ? 0 : 1
} catch (error) {
  if (!(error instanceof ProgramsMissing)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
