// `npm run conformance`: checks our files, answers and transfers with third-party programs, and our SQL on the oldest PostgreSQL that we support.
// With the argument `modules`: runs only the tests of every module and of whole flows on that PostgreSQL, or those in the files that follow.
import { globSync } from 'node:fs'
import { prepareTemplate } from '@zonewright/service/test-database'
import { withDebianCluster } from './local/debian-postgres.ts'
import { ProgramsMissing } from './local/debian-programs.ts'
import {
  acmePrograms,
  debianFolder,
  dnsPrograms,
  dnssecPrograms,
  failoverPrograms,
  operatorPrograms,
  receiverPrograms,
  routerPrograms,
} from './local/dns-programs.ts'
import { perlModules } from './local/perl-modules.ts'
import { throwawaySettings } from './local/test-postgres.ts'
import { runTests, stopSignal, sumOf, type TestTally, testLane } from './local/test-run.ts'

/** The longest first. */
const programFiles = [
  'system-tests/conformance/*.test.ts',
  'packages/{dns,epp}/src/*.conformance.ts',
  'nameserver/src/**/*.conformance.ts',
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
  const { passed, failed } =
    part === 'modules' ? await onOldestPostgres((env) => runTests(ofModules, { env, signal })) : await runAll()
  process.stdout.write(`\nconformance: ${passed} passed, ${failed} failed\n`)
  process.exitCode = failed === 0 ? 0 : 1
} catch (error) {
  if (!(error instanceof ProgramsMissing)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

async function runAll(): Promise<TestTally> {
  const programs = {
    ...{ ...acmePrograms, ...dnssecPrograms, ...routerPrograms, ...operatorPrograms, ...failoverPrograms },
    ...receiverPrograms,
  }
  const env = { ...dnsPrograms(programs), PERL5LIB: perlModules(debianFolder) }
  const files = programFiles.flatMap((glob) => globSync(glob).sort())
  return await onOldestPostgres(async (server) => {
    const lane = testLane(
      files.map((file) => [file]),
      { env: { ...env, ...server }, signal },
    )
    // In parallel, because third-party programs mostly wait.
    const sql = runTests(sqlFiles, { env: server, signal })
    return sumOf(await Promise.all([sql, lane(), sql.then(lane)]))
  })
}

function onOldestPostgres(work: (env: Readonly<Record<string, string>>) => Promise<TestTally>): Promise<TestTally> {
  return withDebianCluster(debianFolder, throwawaySettings, async ({ url }) => {
    await prepareTemplate(url)
    return await work({ ZONEWRIGHT_TEST_POSTGRES: url })
  })
}
