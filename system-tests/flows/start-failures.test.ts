// A process that cannot start says why in one line, and exits with 1.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { startEmbeddedPostgres } from '@zonewright/service/embedded-postgres'
import { createLogger } from '@zonewright/service/log'
import { environmentOf, freeAddresses, freePort } from '../../tools/local/addresses.ts'
import { startHeard, worldForTests } from '../world/index.ts'

const world = await worldForTests()
const folder = mkdtempSync(join(tmpdir(), 'zonewright-start-'))

/** Runs a program until it ends, and returns its messages for a person: the lines that are not log entries. */
async function run(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<{ code: number | null; lines: string[] }> {
  const program = startHeard(['--disable-warning=ExperimentalWarning', ...args], env)
  const code = await program.end
  return {
    code,
    lines: program
      .said()
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('{"level":30')),
  }
}

test('a port in use ends the service with one line', async () => {
  const { code, lines } = await run(['service/bin/all.ts'], { ...world.env, DATA_DIR: join(folder, 'taken') })
  assert.equal(code, 1)
  assert.equal(lines.length, 1, lines.join('\n'))
  assert.match(lines[0] ?? '', /in use/)
})

test('a data directory that cannot be written ends the service with one line', async () => {
  const file = join(folder, 'a-file')
  writeFileSync(file, '')
  const { code, lines } = await run(['service/bin/all.ts'], { DATA_DIR: join(file, 'data') })
  assert.equal(code, 1)
  assert.deepEqual(lines, [`DATA_DIR: ${join(file, 'data')} cannot be written: ENOTDIR`])
})

test('each fault of the configuration gets its own line', async () => {
  const { code, lines } = await run(['service/bin/all.ts'], {
    DATA_DIR: join(folder, 'faults'),
    HTTP_LISTEN: 'nowhere',
    NAMESERVERS: 'ns1.example.net=127.0.0.1:5301',
    LOG_LEVEL: 'loud',
  })
  assert.equal(code, 1)
  assert.deepEqual(
    lines.map((line) => line.split(':')[0]),
    ['HTTP_LISTEN', 'NAMESERVERS', 'LOG_LEVEL'],
  )
})

test('an unreachable database ends the service with one line', async () => {
  const port = await freePort()
  const { code, lines } = await run(['service/bin/all.ts'], {
    DATA_DIR: join(folder, 'away'),
    DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/nothing`,
  })
  assert.equal(code, 1)
  assert.equal(lines.length, 1, lines.join('\n'))
  assert.match(lines[0] ?? '', /^The database cannot be reached: .*ECONNREFUSED/)
})

test('every process reports an invalid DATABASE_URL in one line, without the password, and connects nowhere', async () => {
  const programs = ['api', 'worker', 'primary', 'all', 'migrate', 'admin'].map((name) => [`service/bin/${name}.ts`])
  const urls = {
    'postgres://app:s3c#r3t@db.invalid/zonewright': 'contains a #; write it as %23',
    's3c:r3t@127.0.0.1/zonewright': 'must begin with postgres:// or postgresql://, as in',
    'postgres://app:s3cr3t@/zonewright': 'has no host, or an empty one in its list; write one as in',
    '': 'is set, but empty; set a URL such as',
  }
  const refuses = async (program: readonly string[], url: string, says: string): Promise<void> => {
    const [script = ''] = program
    const args = script.endsWith('admin.ts') ? [script, 'order', 'stuck'] : program
    const { code, lines } = await run(args, { DATA_DIR: join(folder, 'url'), DATABASE_URL: url })
    assert.equal(code, 1, script)
    assert.equal(lines.length, 1, `${script}: ${lines.join('\n')}`)
    assert.ok(lines[0]?.startsWith(`DATABASE_URL: ${says}`), `${script}: ${lines[0]}`)
    assert.doesNotMatch(lines[0] ?? '', /s3c|r3t/)
  }
  const [worst = ['', '']] = Object.entries(urls)
  await Promise.all([...programs, ['tools/start.ts']].map((program) => refuses(program, ...worst)))
  for (const [url, says] of Object.entries(urls)) await refuses(['service/bin/worker.ts'], url, says)
})

test('without DATABASE_URL, a process reports that npm has no PostgreSQL for this machine', async () => {
  const otherMachine = `data:text/javascript,Object.defineProperty(process, 'arch', { value: 'pdp11' })`
  const env = { DATA_DIR: join(folder, 'pdp11'), DATABASE_URL: undefined }
  const { code, lines } = await run(['--import', otherMachine, 'service/bin/worker.ts'], env)
  assert.equal(code, 1)
  assert.equal(lines.length, 1, lines.join('\n'))
  assert.match(lines[0] ?? '', /^PostgreSQL is missing: .*-pdp11 is not installed\. Set DATABASE_URL /)
})

test('a missing certificate file ends the service with one line', async () => {
  const { code, lines } = await run(['service/bin/all.ts'], {
    DATA_DIR: join(folder, 'ca'),
    WEBHOOK_CA_FILE: join(folder, 'none.pem'),
  })
  assert.equal(code, 1)
  assert.deepEqual(lines, [`WEBHOOK_CA_FILE: ${join(folder, 'none.pem')} cannot be read: ENOENT`])
})

test('npm start reports a port in use in one line, and leaves no PostgreSQL behind', async () => {
  const dataDir = join(folder, 'start')
  const addresses = { ...(await freeAddresses()), receiver: new URL(world.facts.receiver_url).host }
  const { code, lines } = await run(['tools/start.ts'], { DATA_DIR: dataDir, ...environmentOf(addresses) })
  assert.equal(code, 1)
  const told = lines.filter((line) => !line.startsWith('Starting '))
  assert.equal(told.length, 1, told.join('\n'))
  assert.match(told[0] ?? '', /^receiver: .* EADDRINUSE/)
  const postgres = await startEmbeddedPostgres(dataDir, createLogger('test', 'warn'))
  await postgres.stop()
  await postgres.erase()
  assert.equal(postgres.adopted, false)
})

test('an operator’s command without the service’s settings creates no database, and exits with 2', async () => {
  const dataDir = join(folder, 'not-there')
  for (const command of [['restore-serials'], ['doctor'], ['doctor', '--json']]) {
    const { code, lines } = await run(['service/bin/admin.ts', ...command], {
      DATA_DIR: dataDir,
      DATABASE_URL: undefined,
    })
    assert.equal(code, 2, lines.join('\n'))
    assert.equal(lines.length, 1, lines.join('\n'))
    assert.match(lines[0] ?? '', /^DATABASE_URL is not set/)
    assert.equal(existsSync(dataDir), false)
  }
})
