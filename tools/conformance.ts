// `npm run conformance`: our files, answers and transfers before other people's programs, and our SQL before the oldest
// PostgreSQL that we take.
import { prepareTemplate } from '@zonewright/service/test-database'
import { withDebianPostgres } from './local/debian-postgres.ts'
import { ProgramsMissing } from './local/debian-programs.ts'
import { acmePrograms, debianFolder, dnsPrograms, operatorPrograms } from './local/dns-programs.ts'
import { perlModules } from './local/perl-modules.ts'
import { runTests } from './local/test-run.ts'

try {
  const env = { ...dnsPrograms({ ...acmePrograms, ...operatorPrograms }), PERL5LIB: perlModules(debianFolder) }
  const files = [
    'packages/dns/src/*.conformance.ts',
    'packages/epp/src/*.conformance.ts',
    'nameserver/src/**/*.conformance.ts',
    'system-tests/conformance/*.test.ts',
  ]
  // Beside each other, as in `npm test`: other people's programs are waited for more than they work. The cluster first, since both
  // unpack it where it is missing.
  const sqlRun = withDebianPostgres(debianFolder, async (server) => {
    await prepareTemplate(server)
    return await runTests(['service/src/modules/**/*.test.ts', 'system-tests/releases/*.test.ts'], {
      env: { ZONEWRIGHT_TEST_POSTGRES: server },
    })
  })
  const dnsRun = runTests(files, { concurrency: 1, env, printAfter: sqlRun })
  const [sql, dns] = await Promise.all([sqlRun, dnsRun])
  const passed = dns.passed + sql.passed
  const failed = dns.failed + sql.failed
  process.stdout.write(`\nconformance: ${passed} passed, ${failed} failed\n`)
  process.exitCode = failed === 0 ? 0 : 1
} catch (error) {
  if (!(error instanceof ProgramsMissing)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
