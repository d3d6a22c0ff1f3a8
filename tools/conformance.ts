// `npm run conformance`: our files, answers and transfers before other people's programs.
import { execFileSync, spawnSync } from 'node:child_process'
import { runTests } from './local/test-run.ts'

/** The programs that judge, and the Debian package of each. */
const judges = { 'named-checkzone': 'bind9-utils', dig: 'bind9-dnsutils', kdig: 'knot-dnsutils' } as const

installMissing()
const { passed, failed } = await runTests(['packages/dns/src/*.conformance.ts', 'system-tests/conformance/*.test.ts'], {
  concurrency: 1,
})
process.stdout.write(`\nconformance: ${passed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1

function installMissing(): void {
  const missing = Object.entries(judges).filter(([program]) => !isInstalled(program))
  if (missing.length === 0) return
  const packages = missing.map(([, name]) => name)
  if (process.getuid?.() !== 0) {
    process.stderr.write(
      `Missing: ${packages.join(', ')}. Install them (apt-get install ${packages.join(' ')}) and try again.\n`,
    )
    process.exit(1)
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  execFileSync('apt-get', ['update', '-qq'], { stdio: 'inherit', env })
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { stdio: 'inherit', env })
}

function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0
}
