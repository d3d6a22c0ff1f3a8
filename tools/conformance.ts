// `npm run conformance`: checks our files, answers and transfers with other people's programs, and our SQL on the oldest PostgreSQL
// that we support. With the argument `modules`: runs only the tests of every module and of whole flows on that PostgreSQL, or those in the
// files that follow.
import { prepareTemplate } from '@zonewright/service/test-database'
import { withDebianCluster } from './local/debian-postgres.ts'
import { ProgramsMissing } from './local/debian-programs.ts'
import { acmePrograms, debianFolder, dnsPrograms, failoverPrograms, operatorPrograms } from './local/dns-programs.ts'
import { perlModules } from './local/perl-modules.ts'
import { throwawaySettings } from './local/test-postgres.ts'
import { runTests, stopSignal, sumOf, type TestTally } from './local/test-run.ts'

const programFiles = [
  'packages/dns/src/*.conformance.ts',
  'packages/epp/src/*.conformance.ts',
  'nameserver/src/**/*.conformance.ts',
  'system-tests/conformance/*.test.ts',
]
const releaseFiles = 'system-tests/releases/*.test.ts'
/** The SQL of every route, and of every migration on stored data. */
const sqlFiles = ['service/src/testing/fuzz/*.fuzz.ts', releaseFiles]
/** The SQL of every module and of every process. */
const moduleFiles = ['service/src/modules/**/*.test.ts', 'system-tests/flows/a{,n}-*.test.ts', releaseFiles]

const signal = stopSignal()
try {
  const [part, ...files] = process.argv.slice(2)
  const ofModules = files.length > 0 ? files : moduleFiles
  const { passed, failed } = part === 'modules' ? await onOldestPostgres(ofModules) : await runAll()
  process.stdout.write(`\nconformance: ${passed} passed, ${failed} failed\n`)
  process.exitCode = failed === 0 ? 0 : 1
} catch (error) {
  if (!(error instanceof ProgramsMissing)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

async function runAll(): Promise<TestTally> {
  const programs = { ...acmePrograms, ...operatorPrograms, ...failoverPrograms }
  const env = { ...dnsPrograms(programs), PERL5LIB: perlModules(debianFolder) }
  // Beside each other, as in `npm test`: other people's programs are waited for more than they work. The cluster first, since both
  // unpack it where it is missing.
  const sql = onOldestPostgres(sqlFiles)
  const others = runTests(programFiles, { concurrency: 1, env, printsAtEnd: true, signal })
  return sumOf(await Promise.all([sql, others]))
}

function onOldestPostgres(files: readonly string[]): Promise<TestTally> {
  return withDebianCluster(debianFolder, throwawaySettings, async ({ url }) => {
    await prepareTemplate(url)
    return await runTests(files, { env: { ZONEWRIGHT_TEST_POSTGRES: url }, signal })
  })
}
