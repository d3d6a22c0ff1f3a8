// Faults of a whole installation with a process for each part, and what `admin.ts doctor` reports about them: wrong clocks, a process that is down,
// nameservers that are cut off or ahead. service/bin/parts/doctor has the tests of faults in PostgreSQL and of certificates.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { freeAddresses, freePort } from '../../tools/local/addresses.ts'
import { Program } from '../../tools/local/process.ts'
import { askUdp, eventually, jumpingClock, untilAnswered, VirtualClock, worldForTests } from '../world/index.ts'

const world = await worldForTests({ serviceRole: 'zonewright_service' })
const { api, facts, ownerUrl } = world
const free = await freeAddresses()
const port = async (): Promise<string> => `127.0.0.1:${await freePort()}`
const metrics = {
  api: await port(),
  api2: await port(),
  worker: await port(),
  primary: await port(),
  door: await port(),
}
const clocks = {
  worker: jumpingClock(world, 'worker'),
  primary: jumpingClock(world, 'primary'),
  ns2: jumpingClock(world, 'ns2'),
}
const { service, ns2 } = world.programs
await Promise.all([service.stop(), ns2.stop()])
const jumping = new Program({ ...ns2.spec, env: { ...ns2.spec.env, ...clocks.ns2.env } })
test.after(() => jumping.stop())
const [, api2, , , door] = await Promise.all([
  world.alsoRun('api', { METRICS_LISTEN: metrics.api }),
  world.alsoRun('api', { METRICS_LISTEN: metrics.api2, HTTP_LISTEN: free.http }),
  world.alsoRun('worker', { METRICS_LISTEN: metrics.worker, ...clocks.worker.env }),
  world.alsoRun('primary', { METRICS_LISTEN: metrics.primary, ...clocks.primary.env }),
  world.alsoRun('dns-door', { METRICS_LISTEN: metrics.door }),
  jumping.start(),
])
const everyProcess = { METRICS_TARGETS: Object.values(metrics).join() }
const addresses = facts.nameservers.map(({ address }) => address)

/** The findings of the doctor, with their levels. */
function doctor(env: Readonly<Record<string, string>> = {}): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const program = fileURLToPath(new URL('../../service/bin/admin.ts', import.meta.url))
    const args = ['--disable-warning=ExperimentalWarning', program, 'doctor', '--json']
    const options = { env: { ...process.env, ...world.env, ...everyProcess, ...env } }
    execFile(process.execPath, args, options, (_, stdout, stderr) => {
      if (stdout === '') return reject(new Error(stderr))
      const findings = JSON.parse(stdout) as { level: string; says: string }[]
      resolve(findings.map(({ level, says }) => `${level}: ${says}`))
    })
  })
}

const faultsIn = (said: readonly string[]): string[] => said.filter((each) => !each.startsWith('ok: '))

async function asOwner(statement: string, values: readonly unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query(statement, [...values]).finally(() => client.end())
}

async function change(name: string): Promise<void> {
  assert.ok((await api.put(facts.zone.name, name, 'A', ['192.0.2.1'])).status < 300)
}

test('the doctor queries each process of an installation with separate processes, and finds no fault', async () => {
  await change('right')
  for (const address of addresses) await untilAnswered(address, `right.${facts.zone.name}`, 'A', '192.0.2.1')
  const said = await eventually('all is in order', async () => {
    const said = await doctor()
    assert.deepEqual(faultsIn(said), [])
    return said
  })
  assert.ok(
    said.includes("ok: All processes (5) of METRICS_TARGETS are ready, and their clocks agree with this machine's."),
  )
})

test('a DNS door that is down is reported, because a customer has a TSIG secret', async () => {
  const { address } = facts.dns_door
  const right = `ok: The DNS door at ${address} responds, and checks the signatures of API keys.`
  assert.ok((await doctor()).includes(right))
  await door.stop()
  assert.deepEqual(faultsIn(await doctor()), [
    `fault: The process at ${metrics.door} does not respond: connect ECONNREFUSED ${metrics.door}.`,
    `fault: The DNS door at ${address} does not respond, and one API key has a TSIG secret.`,
  ])
  await door.start()
  assert.ok((await doctor()).includes(right))
})

test('a primary on another machine is no fault, but one here that does not answer is a fault', async () => {
  const away = { PRIMARY_LISTEN: free.primary }
  assert.deepEqual(faultsIn(await doctor(away)), [`fault: The primary does not respond at ${free.primary}.`])
  // The processes use the socket of PostgreSQL, and this doctor comes from another address than they do.
  const url = (world.env['DATABASE_URL'] ?? '').replace(/@[^:/]+:/, '@127.0.0.1:')
  const said = await doctor({ ...away, DATABASE_URL: url })
  assert.deepEqual(faultsIn(said), [])
  assert.ok(
    said.includes('ok: No primary runs on this machine. The leader runs on another one (the machine of PostgreSQL).'),
    said.join('\n'),
  )
})

test('the doctor names wrong clocks, a process that is down, and nameservers that are cut off or ahead', async () => {
  await world.admin('zone', 'add', facts.account.email, 'ahead.example.org')
  await eventually('it is served', async () => {
    const answers = await Promise.all(addresses.map((address) => askUdp(address, 'ahead.example.org', 'SOA')))
    return answers.every(({ answers }) => answers.length > 0)
  })
  clocks.worker.set(-600_000)
  clocks.primary.set(600_000)
  clocks.ns2.set(-600_000)
  await api2.stop()
  // It changed half a minute ago, and continues to change.
  await change('cut-off')
  await new VirtualClock({ databaseUrl: ownerUrl }).pass(31)
  await change('cut-off-2')
  await asOwner('update zones set serial = serial - 1000 where name = $1', ['ahead.example.org'])

  const said = faultsIn(await doctor())
  const [ns1At, ns2At] = facts.nameservers.map(({ name, address }) => `${name} \\(${address}\\)`)
  const time = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ'
  const zone = facts.zone.name
  for (const what of [
    `fault: The process at ${metrics.api2} does not respond: connect ECONNREFUSED ${metrics.api2}\\.`,
    `fault: The clock of the process at ${metrics.worker} says ${time}, and this machine's clock says ${time}\\.`,
    `fault: The clock of the process at ${metrics.primary} says ${time}, and this machine's clock says ${time}\\.`,
    `fault: The clock of the primary at \\S+ says ${time}, and this machine's clock says ${time}, so they refuse each other's messages\\.`,
    `fault: The clock of ${ns2At} says ${time}, and this machine's clock says ${time}, so they refuse each other's messages\\.`,
    ...[ns1At, ns2At].flatMap((who) => [
      `fault: ${who} serves serial \\d+ of ${zone}; it should be \\d+\\.`,
      `fault: ${who} is ahead of the database: it serves serial \\d+ of ahead.example.org, but the zone's serial is \\d+\\.`,
    ]),
  ])
    assert.ok(
      said.some((each) => new RegExp(`^${what}$`).test(each)),
      `${what}\n${said.join('\n')}`,
    )
  const [, theirs = '', ours = ''] =
    /^fault: The clock of ns2\S* \S+ says (\S+), and this machine's clock says (\S+),/.exec(
      said.find((each) => each.includes('clock of ns2')) ?? '',
    ) ?? []
  const apartS = (Date.parse(ours) - Date.parse(theirs)) / 1_000
  assert.ok(Math.abs(apartS - 600) <= 2, `${ours} and ${theirs}`)
  assert.equal(said.length, 9, said.join('\n'))

  for (const clock of Object.values(clocks)) clock.set(0)
  await api2.restart()
  await asOwner('update zones set serial = serial + 1000 where name = $1', ['ahead.example.org'])
  await eventually('all is in order', async () => {
    assert.deepEqual(faultsIn(await doctor()), [])
    return true
  })
})
