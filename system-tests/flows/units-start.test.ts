// The units of deploy/systemd: a start, and therefore a restart, ends when the process is ready, and fails if it never is. The test runs the commands
// of each unit as systemd does. Rolling restarts depend on this (deploy/systemd/restart.sh).
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { cloneDatabase } from '@zonewright/service/test-database'
import pg from 'pg'
import { type Addresses, freeAddresses } from '../../tools/local/addresses.ts'
import { eventually, type HeardProgram, startHeard } from '../world/index.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { url: databaseUrl } = await cloneDatabase()
const folder = mkdtempSync(join(tmpdir(), 'zonewright-units-'))
after(() => rmSync(folder, { recursive: true }))
const key = `hmac-sha256:zonewright-transfer:${Buffer.alloc(32, 7).toString('base64')}`
writeFileSync(join(folder, 'tsig.key'), `${key}\n`)

/** A replacement for systemd-notify, which writes its arguments to the file that NOTIFY_SOCKET names. */
const notifyFolder = join(folder, 'bin')
mkdirSync(notifyFolder)
writeFileSync(join(notifyFolder, 'systemd-notify'), '#!/bin/sh\necho "$@" >> "$NOTIFY_SOCKET"\n', { mode: 0o755 })

const units = [
  'zonewright-api@',
  'zonewright-worker@',
  'zonewright-primary',
  'zonewright-dns-door',
  'zonewright-nameserver',
] as const
type Unit = (typeof units)[number]

/** The content of the settings files, with other addresses. */
function settingsAt(free: Addresses): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    TSIG_KEY: key,
    HTTP_LISTEN: free.http,
    METRICS_LISTEN: free.receiver,
    PRIMARY_LISTEN: free.primary,
    DOOR_LISTEN: free.door,
    NAMESERVERS: `ns1.zonewright.test=${free.ns1},ns2.zonewright.test=${free.ns2}`,
    NAMESERVER_FLAGS: `--listen ${free.ns1} --primary ${free.primary}`,
  }
}

/** A command of a unit, as systemd would run it with these settings. */
function commandOf(
  unit: Unit,
  name: 'ExecStart' | 'ExecStartPost',
  settings: Readonly<Record<string, string>>,
): string[] {
  const text = readFileSync(join(root, `deploy/systemd/${unit}.service`), 'utf8').replace(/\\\n/g, '')
  const [, command = ''] = new RegExp(`^${name}=/opt/zonewright/node_modules/\\.bin/node (.*)$`, 'm').exec(text) ?? []
  return command
    .replaceAll('%d', folder)
    .replaceAll('/var/lib/zonewright', folder)
    .replaceAll(/\$\{?(\w+)\}?/g, (_, setting: string) => settings[setting] ?? assert.fail(`${unit}: ${setting}`))
    .split(/\s+/)
}

function run(t: TestContext, args: readonly string[], env: Readonly<Record<string, string>>): HeardProgram {
  const started = startHeard(args, env)
  t.after(() => started.process.kill('SIGKILL'))
  return started
}

/** `systemctl start`: the process, and the program that reports the end of its start. */
function start(t: TestContext, unit: Unit, settings: Readonly<Record<string, string>>) {
  const main = run(t, commandOf(unit, 'ExecStart', settings), settings)
  const command = commandOf(unit, 'ExecStartPost', settings)
  assert.equal(command.at(-1), '60', 'less than the 90 s that systemd has for a start')
  const post = run(t, command, { ...settings, MAINPID: `${main.process.pid}` })
  return { main, post, url: command.at(-2) ?? '' }
}

const statusAt = (url: string): Promise<number> =>
  fetch(url).then(
    ({ status }) => status,
    () => 0,
  )

for (const unit of units)
  test(`the start of ${unit} ends once it answers, however late, and fails if it never does`, async (t) => {
    const settings = settingsAt(await freeAddresses())
    const { main, post, url } = start(t, unit, settings)
    main.process.kill('SIGSTOP')
    await eventually('it was asked in vain', async () => post.said().includes(url))
    assert.equal(post.process.exitCode, null)

    const hasty = run(t, [...commandOf(unit, 'ExecStartPost', settings).slice(0, -1), '0.2'], {})
    assert.equal(await hasty.end, 1)
    assert.match(hasty.said(), /does not answer 200 after 0\.2 s/)

    main.process.kill('SIGCONT')
    assert.equal(await post.end, 0, `${post.said()}${main.said()}`)
    assert.equal(await statusAt(url), 200)
  })

for (const [unit, table] of [
  ['zonewright-worker@', 'pgboss.version'],
  ['zonewright-primary', 'nameservers'],
] as const)
  test(`the start of ${unit} does not end until it works, even if its metrics and the database respond`, async (t) => {
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    t.after(() => client.end())
    await client.query(`begin; lock table ${table} in access exclusive mode`)
    const settings = settingsAt(await freeAddresses())
    const { post, url } = start(t, unit, settings)
    await eventually('figures are shown', async () => (await statusAt(url.replace('readyz', 'healthz'))) === 200)
    assert.equal(await statusAt(url), 503)
    assert.equal(post.process.exitCode, null)
    await client.query('commit')
    assert.equal(await post.end, 0, post.said())
  })

for (const unit of units)
  test(`${unit} runs, notifies systemd and stops in order with a full log disk and with no reader of its output`, async (t) => {
    const settings = settingsAt(await freeAddresses())
    const full = openSync('/dev/full', 'w')
    t.after(() => closeSync(full))
    const told = join(folder, `told-${unit}`)
    writeFileSync(told, '')
    const main = spawn(process.execPath, commandOf(unit, 'ExecStart', settings), {
      cwd: root,
      env: { ...process.env, ...settings, NOTIFY_SOCKET: told, PATH: `${notifyFolder}:${process.env['PATH']}` },
      stdio: ['ignore', 'pipe', full],
    })
    t.after(() => main.kill('SIGKILL'))
    main.stdout?.destroy()
    const url = commandOf(unit, 'ExecStartPost', settings).at(-2) ?? ''
    await eventually('it is ready', async () => (await statusAt(url)) === 200)
    // The nameserver notifies systemd without the program (nameserver/src/watchdog/notify-systemd.test.ts).
    if (unit !== 'zonewright-nameserver')
      await eventually('systemd is told', async () => readFileSync(told, 'utf8').includes('READY=1'))
    const figures = await (await fetch(`http://${settings['METRICS_LISTEN']}/metrics`)).text()
    assert.match(figures, /^zonewright_(?:nameserver_)?log_lines_dropped_total [1-9]/m)
    const ended = once(main, 'exit')
    main.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
  })

test('the start of a process that exits fails at once, without waiting for the full minute', async (t) => {
  const settings = settingsAt(await freeAddresses())
  const [host, port] = (settings['PRIMARY_LISTEN'] ?? '').split(':')
  const other = createServer().listen(Number(port), host)
  t.after(() => other.close())
  await once(other, 'listening')
  const { main, post } = start(t, 'zonewright-primary', settings)
  assert.equal(await main.end, 1)
  const endedAtMs = performance.now()
  assert.equal(await post.end, 1)
  assert.match(post.said(), /the process has ended/)
  assert.ok(performance.now() - endedAtMs < 30_000)
})
