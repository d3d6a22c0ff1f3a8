// docs/runbooks/deploy.md, "Upgrade" and "Roll back": every command of them, on an installation of the previous release that customers use.
// DRILL_MINUTES=60 uses the previous release for an hour on the new schema, before the restarts of the upgrade.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { buildDashboard } from '@zonewright/dashboard/build'
import pg from 'pg'
import { createAuthority } from '../../sandbox/src/certificates.ts'
import { freeAddresses } from '../../tools/local/addresses.ts'
import { debianPrograms } from '../../tools/local/debian-programs.ts'
import { debianFolder } from '../../tools/local/dns-programs.ts'
import { Program } from '../../tools/local/process.ts'
import { startNginx } from '../conformance/peers/nginx.ts'
import { eventually, startHeard, untilAnswered } from '../world/index.ts'
import { startCustomers } from './customers.ts'
import { startMachines } from './machines.ts'
import { previousRelease, unpackPreviousRelease } from './previous-release.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** How long the previous release is used on the new schema, before the restarts of the upgrade. */
const minutes = Number(process.env['DRILL_MINUTES'] ?? 1)
const minutesAfterRollback = 1

const folder = mkdtempSync(join(tmpdir(), 'zonewright-upgrade-'))
process.env['PATH'] = debianPrograms({ nginx: ['nginx'] }, debianFolder)
const previous = join(folder, 'previous')
unpackPreviousRelease(previous)
const migrationsIn = (release: string) => readdirSync(join(release, 'service/migrations')).sort()
const firstNew = migrationsIn(root).find((name) => !migrationsIn(previous).includes(name))
const { startWorld } = (await import(
  join(previous, 'system-tests/world/world.ts')
)) as typeof import('../world/world.ts')

const [proxy, second] = [await freeAddresses(), await freeAddresses()]
const world = await startWorld({
  serviceRole: 'zonewright_service',
  standbyPrimary: second.primary,
  // Otherwise it would build its own while everything else starts.
  env: { DRAIN_SECONDS: '3', TRUSTED_PROXIES: '127.0.0.1', DASHBOARD_DIR: await buildDashboard() },
})
const { facts } = world
const zone = facts.zone.name
const owner = new pg.Client({ connectionString: world.ownerUrl })
await owner.connect()

const place = join(folder, 'machines')
const apis = [new URL(facts.base_url).host, second.http]
const listens = { service1: {}, service2: { HTTP_LISTEN: second.http, PRIMARY_LISTEN: second.primary } }
const parts = { 'api@8081': 'api', 'worker@19001': 'worker', primary: 'primary' }
const services = Object.entries(listens).map(([machine, env]) => ({
  machine,
  units: Object.entries(parts).map(([unit, part]) => ({
    name: `zonewright-${unit}.service`,
    program: programOn(machine, [`service/bin/${part}.ts`], { ...world.env, ...env }),
  })),
}))
const nameservers = (['ns1', 'ns2'] as const).map((machine) => {
  const [script = '', ...args] = world.programs[machine].spec.args
  const program = programOn(machine, [relative(previous, script), ...args], {})
  return { machine, units: [{ name: 'zonewright-nameserver.service', program }] }
})
const machines = await startMachines(
  place,
  new Map([
    [previousRelease.tag, previous],
    ['new', root],
  ]),
  {
    db: { 'zonewright-backup.service': { start: async () => undefined } },
    ...Object.fromEntries(
      [...services, ...nameservers].map(({ machine, units }) => [
        machine,
        {
          ...Object.fromEntries(
            units.map(({ name, program }) => [
              name,
              { start: () => program.start(), restart: () => program.restart() },
            ]),
          ),
          ...(machine === 'service1' && { 'zonewright-migrate.service': { start: migrate } }),
        },
      ]),
    ),
  },
)
/** A program of the release that its machine has when it starts. */
function programOn(
  machine: string,
  [script = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
): Program {
  const name = `${machine}-${basename(script, '.ts')}`
  const file = join(place, machine, 'opt/zonewright', script)
  return new Program({ name, args: [file, ...args], env, logFile: join(world.dataDir, 'logs', `${name}.log`) })
}

/** `zonewright-migrate.service`: as the owner of the schema. */
async function migrate(): Promise<void> {
  const env = { ...world.env, DATABASE_URL: world.ownerUrl, DATABASE_ROLE: 'zonewright_service' }
  const { code, said } = await run('service1', 'migrate', env)
  assert.equal(code, 0, said)
}

/** Runs a program of the release that a machine has, until it ends. */
async function run(machine: string, name: string, env: Readonly<Record<string, string>>) {
  const file = join(machines.codeOf(machine), `service/bin/${name}.ts`)
  const program = startHeard(['--disable-warning=ExperimentalWarning', file], env)
  const code = await program.end
  return { code, said: program.said() }
}

/** The blocks of commands of a section of the page. */
function blocksOf(section: string): string[] {
  const page = readFileSync(join(root, 'docs/runbooks/deploy.md'), 'utf8')
  const text = page.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? assert.fail(section)
  return [...text.matchAll(/^( *)```sh\n(.*?)^\1```$/gms)].map(([, indent = '', block = '']) =>
    block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  )
}

// The installation of deploy.md: two machines of the service, two nameservers, and the proxy.
const [service1, service2] = services
for (const { program } of service2?.units ?? []) await program.start()
await world.programs.service.stop()
for (const { program } of service1?.units ?? []) await program.start()
for (const { machine, units } of nameservers) {
  await world.programs[machine as 'ns1' | 'ns2'].stop()
  for (const { program } of units) await program.start()
}
const authority = createAuthority('proxy of a drill')
const nginxFolder = join(folder, 'nginx')
mkdirSync(nginxFolder)
const nginx = await startNginx({ folder: nginxFolder, http: proxy.mailbox, https: proxy.receiver, apis, authority })
after(async () => {
  await nginx.stop()
  await Promise.all([...services, ...nameservers].flatMap(({ units }) => units.map(({ program }) => program.stop())))
  machines.close()
  await owner.end()
  await world.stop()
  rmSync(folder, { recursive: true })
})
const made = await world.admin('key', 'create', facts.account.email, 'many', '--copies', '60')
const keys = (JSON.parse(made) as { secret: string }[]).map(({ secret }) => secret)
const addresses = facts.nameservers.map(({ address }) => address)
const steady = await world.api.put(zone, 'steady', 'A', ['192.0.2.1'])
for (const address of addresses) await untilAnswered(address, `steady.${zone}`, 'A', '192.0.2.1')
const { number: latest } = await world.received.waitFor(
  'the first change',
  ({ data }) => data.serial === Number(steady.headers.get('zone-serial')),
)

const [backup = '', update = '', dashboard = '', migration = '', restart = ''] = blocksOf('Upgrade')
const serviceMachines = ['service2', 'service1']
const allMachines = [...serviceMachines, 'ns1', 'ns2']

/** Step 2 of the page. */
async function checkOut(tag: string): Promise<void> {
  for (const machine of allMachines) await machines.type(machine, update.replace('VERSION', tag))
  for (const machine of serviceMachines) await machines.type(machine, dashboard)
}

/** Step 4 of the page. */
async function restartAll(): Promise<void> {
  const before = machines.done.length
  const said = await machines.type('service1', restart)
  const units = [...services.toReversed(), ...nameservers].flatMap(({ machine, units: its }) =>
    its.map(({ name }) => `${machine} restart ${name}`),
  )
  assert.deepEqual(machines.done.slice(before), units, said)
}

/** Checks that every process of the service ends with this sentence on the machine that already has the new code. */
async function noneStarts(sentence: string): Promise<void> {
  const free = await freeAddresses()
  const env = { ...world.env, HTTP_LISTEN: free.http, PRIMARY_LISTEN: free.primary }
  for (const name of ['api', 'worker', 'primary', 'all'])
    assert.deepEqual(await run('service2', name, env), { code: 1, said: `${sentence}\n` }, name)
}

test('an upgrade and a rollback fail no request, leave no query unanswered, and deliver every event once and in order', async (t) => {
  const customers = startCustomers({
    https: proxy.receiver,
    ca: authority.cert,
    keys,
    zone,
    nameservers: addresses,
    received: world.received,
  })
  t.after(() => customers.stop())
  const phase = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    const [before, beganMs] = [{ ...customers.counts }, performance.now()]
    await work()
    const { changes, reads, zones, queries } = customers.counts
    const seconds = Math.round((performance.now() - beganMs) / 1_000)
    t.diagnostic(
      `${name}, ${seconds} s: ${changes - before.changes} changes, ${reads - before.reads} reads, ${zones - before.zones} zones, ${queries - before.queries} queries`,
    )
    assert.deepEqual(customers.failed, [], name)
  }
  const use = (forMinutes: number) => delay(forMinutes * 60_000)

  await phase('the previous release', () => use(1 / 3))
  await phase('steps 1 and 2', async () => {
    await machines.type('db', backup)
    await checkOut('new')
  })
  await phase('the new code does not start on the old schema', () =>
    noneStarts(
      `The database is older than this code. Run the migration ${firstNew} as the owner of the schema (service/bin/migrate.ts).`,
    ),
  )
  await phase('step 3: the schema is migrated', () => machines.type('service1', migration))
  await phase('the previous release on the new schema', () => use(minutes))
  await phase('nor does it start on the schema of a later release that breaks older code', async () => {
    await owner.query(`insert into schema_migrations (name, sha256, breaks) values ('9999-later.sql', '', true)`)
    await noneStarts('The database is newer than this code (migration 9999-later.sql). Deploy the newer version.')
    await owner.query(`delete from schema_migrations where name = '9999-later.sql'`)
  })
  await phase('step 4: every process is restarted', restartAll)
  await phase('the new release', () => use(1 / 3))
  await phase('the way back', async () => {
    await checkOut(previousRelease.tag)
    await restartAll()
  })
  await phase('the previous release on the new schema again', () => use(minutesAfterRollback))
  await customers.stop()

  const events = await eventually('every change is received', async () => {
    await customers.collect()
    const serials = [...customers.requests.values()]
      .filter(({ number }) => number > latest)
      .map(({ body }) => JSON.parse(body))
      .filter(({ type, data }) => type === 'zone.records_changed' && data.zone.name === zone)
      .map(({ data }) => data.serial as number)
    return new Set(serials).size >= customers.accepted.size && serials
  })
  const serials = [...customers.accepted].sort((a, b) => a - b)
  assert.deepEqual(events, serials, 'each once, in the order of the serials')
  for (const address of addresses)
    for (const [name, value] of customers.addresses) await untilAnswered(address, `${name}.${zone}`, 'A', value)
  t.diagnostic(`${events.length} events, each once and in order`)
})
