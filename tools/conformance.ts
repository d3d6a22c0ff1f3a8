// `npm run conformance`: our files, answers and transfers before other people's programs.
import { fileURLToPath } from 'node:url'
import { debianPrograms, ProgramsMissing, rootOf } from './local/debian-programs.ts'
import { runTests } from './local/test-run.ts'

const powerdns = ['pdns-server', 'pdns-backend-sqlite3']

/** The programs that judge and those that take part, and the Debian packages of each. */
const programs = {
  'named-checkzone': ['bind9-utils'],
  dig: ['bind9-dnsutils'],
  nsupdate: ['bind9-dnsutils'],
  kdig: ['knot-dnsutils'],
  knotd: ['knot'],
  knotc: ['knot'],
  named: ['bind9'],
  nsd: ['nsd'],
  'nsd-control': ['nsd'],
  pdns_server: powerdns,
  pdnsutil: powerdns,
  sqlite3: ['sqlite3'],
} as const

const folder = fileURLToPath(new URL('../node_modules/.cache/debian', import.meta.url))
try {
  const env = { PATH: debianPrograms(programs, folder), DEBIAN_ROOT: rootOf(folder) }
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
