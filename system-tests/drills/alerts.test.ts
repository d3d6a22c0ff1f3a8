// Faults of a whole installation, in real time. In the meantime, its metrics are scraped, and promtool shows which alerts the recorded series raise.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { freeAddresses, freePort } from '../../tools/local/addresses.ts'
import { debianPrograms } from '../../tools/local/debian-programs.ts'
import { debianFolder, operatorPrograms } from '../../tools/local/dns-programs.ts'
import { Program } from '../../tools/local/process.ts'
import { eventually, RecordedMetrics, untilAnswered, worldForTests } from '../world/index.ts'

process.env['PATH'] = debianPrograms({ promtool: operatorPrograms.promtool }, debianFolder)

const world = await worldForTests({ ownPostgres: true })
const { api, facts, received } = world
const zone = facts.zone.name
const names = ['api', 'stuck', 'mute', 'worker', 'primary', 'door', 'ns1', 'ns2', 'signed'] as const
const at = Object.fromEntries(
  await Promise.all(names.map(async (name) => [name, `127.0.0.1:${await freePort()}`])),
) as Record<(typeof names)[number], string>
const [ofStuck, ofMute, ofSigned] = [await freeAddresses(), await freeAddresses(), await freeAddresses()]

await Promise.all([world.programs.service, world.programs.ns1, world.programs.ns2].map((each) => each.stop()))
const nameserver = async (name: 'ns1' | 'ns2'): Promise<Program> => {
  const { spec } = world.programs[name]
  const program = new Program({ ...spec, args: [...spec.args, '--metrics', at[name]] })
  test.after(() => program.stop())
  await program.start()
  return program
}
const zoneFolder = join(world.dataDir, 'signed')
mkdirSync(zoneFolder)
/** Writes the file of a zone whose signature expires in this many days. */
function signUntil(days: number): void {
  const expiration = new Date(Date.now() + days * 86_400_000).toISOString().replaceAll(/\D/g, '').slice(0, 14)
  writeFileSync(
    join(zoneFolder, 'signed.example.zone'),
    `$TTL 60\n@ SOA ns h 1 2 3 4 5\n@ NS ns\n@ RRSIG SOA 13 2 60 ${expiration} 20200101000000 1 @ AQID\n`,
  )
}
signUntil(20)
const signed = new Program({
  name: 'signed',
  args: [
    fileURLToPath(new URL('../../nameserver/bin/nameserver.ts', import.meta.url)),
    ...['--listen', ofSigned.ns1, '--zone-dir', zoneFolder, '--metrics', at.signed],
  ],
  logFile: join(world.dataDir, 'signed.log'),
})
test.after(() => signed.stop())
await signed.start()
/** Freezes on SIGUSR2. */
const stands = `--import=data:text/javascript,${encodeURIComponent("process.on('SIGUSR2', () => { for (;;); })")}`
const [, stuck, worker, primary, , , ns2] = await Promise.all([
  world.alsoRun('api', { METRICS_LISTEN: at.api }),
  world.alsoRun('api', { METRICS_LISTEN: at.stuck, HTTP_LISTEN: ofStuck.http, NODE_OPTIONS: stands }),
  world.alsoRun('worker', { METRICS_LISTEN: at.worker }),
  world.alsoRun('primary', { METRICS_LISTEN: at.primary }),
  world.alsoRun('dns-door', { METRICS_LISTEN: at.door }),
  nameserver('ns1'),
  nameserver('ns2'),
])
/** Its log cannot be written. */
const mute = spawn(
  process.execPath,
  ['--disable-warning=ExperimentalWarning', fileURLToPath(new URL('../../service/bin/api.ts', import.meta.url))],
  {
    env: { ...process.env, ...world.env, METRICS_LISTEN: at.mute, HTTP_LISTEN: ofMute.http },
    // With a channel, it ends with this process.
    stdio: ['ignore', 'ignore', openSync('/dev/full', 'w'), 'ipc'],
  },
)
test.after(() => mute.kill('SIGKILL'))

const recorded = new RecordedMetrics(
  names.map((name) => ({
    job: /^(ns|signed)/.test(name) ? 'zonewright-nameservers' : 'zonewright-service',
    address: at[name],
  })),
  world.dataDir,
)
test.after(() => recorded.stop())

const patienceMs = 480_000

/** Waits until promtool raises all of these, each with this in its labels and summary, and returns all that it raises. */
async function untilRaised(expected: Readonly<Record<string, RegExp>>): Promise<ReadonlyMap<string, string>> {
  let raised: ReadonlyMap<string, string> = new Map()
  const missing = (): string[] =>
    Object.entries(expected).flatMap(([alert, text]) => (text.test(raised.get(alert) ?? '') ? [] : [alert]))
  return await eventually(
    () => `these are raised: ${missing().join()}; ${JSON.stringify([...raised])}`,
    async () => {
      raised = await recorded.raised()
      return missing().length === 0 ? raised : undefined
    },
    patienceMs,
  )
}

async function asOwner(...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: world.ownerUrl })
  await client.connect()
  for (const each of statements) await client.query(each)
  await client.end()
}

test('a healthy installation raises no alert', async () => {
  await api.put(zone, 'right', 'A', ['192.0.2.1'])
  for (const { address } of facts.nameservers) await untilAnswered(address, `right.${zone}`, 'A', '192.0.2.1')
  // Longer than `for: 2m`: an alert with a longer one cannot be raised here.
  await eventually('every process was scraped for a while', async () => recorded.scrapes >= 26, patienceMs)
  assert.deepEqual([...(await recorded.raised())], [])
})

test('hanging commits raise an alert, and so does the first log entry that cannot be written', async (t) => {
  await asOwner(`alter system set synchronous_standby_names = 'nobody'`, 'select pg_reload_conf()')
  const raised = await untilRaised({ ZonewrightWritesFail: /state="hang".*does not store changes: hang/ })
  t.diagnostic(`ZonewrightWritesFail: ${raised.get('ZonewrightWritesFail')}`)
  await asOwner(`alter system reset synchronous_standby_names`, 'select pg_reload_conf()')
  const dropped = await untilRaised({
    ZonewrightLogsDropped: new RegExp(`instance="${at.mute}".*cannot write its log`),
  })
  t.diagnostic(`ZonewrightLogsDropped: ${dropped.get('ZonewrightLogsDropped')}`)
  await eventually(
    'changes are made again',
    async () => (await api.put(zone, 'again', 'A', ['192.0.2.1'])).status < 300,
  )
})

test('each fault raises its alert from the metrics during the fault', async (t) => {
  signUntil(-1)
  await signed.restart()
  await received.behave({ status: 500 })
  const before = (await received.requests()).length
  await api.put(zone, 'late', 'A', ['192.0.2.1'])
  await eventually('the delivery has failed', async () => (await received.requests()).length > before)
  process.kill(worker.pid ?? 0, 'SIGSTOP')
  process.kill(ns2.pid ?? 0, 'SIGSTOP')
  await api.put(zone, 'behind', 'A', ['192.0.2.1'])
  for (let i = 0; i < 3; i++) {
    const { pid } = stuck
    process.kill(pid ?? 0, 'SIGUSR2')
    await eventually('its watchdog has killed it', async () => stuck.pid !== pid)
    await stuck.ready()
    const scrapes = recorded.scrapes
    await eventually('it was scraped', async () => recorded.scrapes > scrapes + 2)
  }
  const [, ns2Name] = facts.nameservers.map(({ name }) => name)
  const raised = await untilRaised({
    ZonewrightProcessDown: new RegExp(`(?=.*${at.worker})(?=.*${at.ns2})`),
    ZonewrightProcessRestarts: new RegExp(`instance="${at.stuck}".*has restarted 3 times in 30 minutes`),
    ZonewrightNameserverBehind: new RegExp(`nameserver="${ns2Name}"`),
    ZonewrightEventsStuck: /An event has waited for/,
    ZonewrightDeliveriesLate: /The oldest due delivery has waited for/,
    ZonewrightSignaturesExpired: new RegExp(`Zones with an expired signature at ${at.signed}: 1`),
  })
  for (const [alert, text] of raised) t.diagnostic(`${alert}: ${text}`)
  await primary.stop()
  const without = await untilRaised({ ZonewrightNoPrimaryLeads: /No primary leads/ })
  t.diagnostic(`ZonewrightNoPrimaryLeads: ${without.get('ZonewrightNoPrimaryLeads')}`)
})

test('when the faults are over, their alerts end', async () => {
  await received.behave({})
  for (const program of [worker, ns2]) process.kill(program.pid ?? 0, 'SIGCONT')
  signUntil(20)
  await signed.restart()
  await primary.restart()
  await eventually(
    'only those that look back are raised',
    async () =>
      [...(await recorded.raised()).keys()].every((alert) => /^Zonewright(LogsDropped|ProcessRestarts)$/.test(alert)),
    patienceMs,
  )
})
