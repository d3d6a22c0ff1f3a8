// SECRET_KEY and TSIG_KEY are replaced on a running installation with the commands of their runbooks, under load: two APIs, a worker, two
// primaries and two nameservers, each restarted by deploy/systemd/restart.sh.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { SecretBox } from '@zonewright/service/secrets'
import pg from 'pg'
import { freeAddresses, freePort } from '../../tools/local/addresses.ts'
import type { Program } from '../../tools/local/process.ts'
import { commandsOf, inPlace, runInShell } from '../conformance/peers/customer-docs.ts'
import { inRepository } from '../conformance/peers/deploy-files.ts'
import { Api, Browser, eventually, freshCode, untilAnswered, worldForTests } from '../world/index.ts'

const endpoints = 5_000
const second = await freeAddresses()
const figures = [await freePort(), await freePort()].map((port) => `127.0.0.1:${port}`)
const oldKey = randomBytes(32).toString('base64')
const world = await worldForTests({
  serviceRole: 'zonewright_service',
  standbyPrimary: second.primary,
  env: { DRAIN_SECONDS: '3', SECRET_KEY: oldKey },
})
const { facts, programs } = world
const zone = facts.zone.name
const bases = [facts.base_url, `http://${second.http}`]
const database = new pg.Client({ connectionString: world.databaseUrl })
// The world stops its PostgreSQL first.
database.on('error', () => undefined)
await database.connect()
after(() => database.end())

await programs.service.stop()
const units: Readonly<Record<string, Readonly<Record<string, readonly Program[]>>>> = {
  service: {
    'zonewright-api@8081.service': [await world.alsoRun('api', {})],
    'zonewright-api@8082.service': [
      await world.alsoRun('api', { HTTP_LISTEN: second.http, PUBLIC_URL: facts.base_url }),
    ],
    'zonewright-worker@19001.service': [await world.alsoRun('worker', {})],
    // One on each of two machines, on which the operator does the same.
    'zonewright-primary.service': [
      await world.alsoRun('primary', { METRICS_LISTEN: figures[0] ?? '' }),
      await world.alsoRun('primary', { METRICS_LISTEN: figures[1] ?? '', PRIMARY_LISTEN: second.primary }),
    ],
  },
  nameserver: { 'zonewright-nameserver.service': [programs.ns1, programs.ns2] },
}

/** The files of each kind of machine in /etc/zonewright. The nameservers read their key from the folder of the world. */
const folder = mkdtempSync(join(tmpdir(), 'zonewright-rotate-'))
after(() => rmSync(folder, { recursive: true }))
const etc: Readonly<Record<string, string>> = { service: join(folder, 'etc'), nameserver: world.dataDir }
const envFile = join(folder, 'etc/zonewright.env')
mkdirSync(join(folder, 'etc'))
mkdirSync(join(folder, 'bin'))
const tsigKey = readFileSync(join(world.dataDir, 'tsig.key'), 'utf8').trim()
const shown = Object.entries({ ...world.env, TSIG_KEY: tsigKey })
writeFileSync(
  envFile,
  shown.map(([name, value]) => `${name}=${/[ <>&;]/.test(value) ? `'${value}'` : value}\n`).join(''),
)

const rotated = ['SECRET_KEY', 'SECRET_KEY_FALLBACK', 'TSIG_KEY', 'TSIG_KEY_FALLBACK']
const settings = (): Record<string, string> =>
  Object.fromEntries(
    [...readFileSync(envFile, 'utf8').matchAll(/^(\w+)='?(.*?)'?$/gm)].map(([, name, value]) => [name, value]),
  )

/** Includes the counts of the primaries before their restarts. */
const refused: string[] = []
async function countRefused(): Promise<void> {
  for (const at of figures) {
    const text = await (await fetch(`http://${at}/metrics`)).text()
    refused.push(...(text.match(/^zonewright_transfers_total\{kind="(?:refused|failed)"\} [1-9].*$/gm) ?? []))
  }
}

/** A systemd that has these units: restarts their programs with the settings of the file. */
const systemd = createServer((request, response) => {
  const machine = units[request.url?.slice(1) ?? ''] ?? {}
  let body = ''
  request.setEncoding('utf8').on('data', (text: string) => {
    body += text
  })
  request.on('end', async () => {
    const [verb, ...words] = body.split(' ')
    const name = (words.at(-1) ?? '').replace(/(?<!\.service)$/, '.service')
    if (verb === 'list-units') {
      const pattern = new RegExp(`^${name.replaceAll('.', '\\.').replaceAll('*', '.*')}$`)
      const found = Object.keys(machine).filter((unit) => pattern.test(unit))
      response.end(found.map((unit) => `${unit} loaded active running\n`).join(''))
      return
    }
    try {
      assert.equal(verb, 'restart')
      for (const program of machine[name] ?? assert.fail(name)) {
        if (name === 'zonewright-primary.service') await countRefused()
        const env = program.spec.env as Record<string, string>
        for (const each of rotated) delete env[each]
        if (machine === units['service'])
          for (const each of rotated) if (settings()[each] !== undefined) env[each] = settings()[each] ?? ''
        await program.restart()
      }
      response.end()
    } catch (error) {
      response.writeHead(500).end(`${error}\n`)
    }
  })
}).listen(0, '127.0.0.1')
await new Promise((resolve) => systemd.once('listening', resolve))
after(() => systemd.close())
const ask = 'fetch(process.env.SYSTEMD, { method: "POST", body: process.argv.slice(1).join(" ") })'
writeFileSync(
  join(folder, 'bin/systemctl'),
  `#!/bin/sh\nexec "${process.execPath}" -e '${ask}.then(async (r) => { process.stdout.write(await r.text()); process.exitCode = r.ok ? 0 : 1 })' -- "$@"\n`,
  { mode: 0o755 },
)

/** Runs the blocks of a page, each on its kind of machine. `after` has what is checked after the block of this number, from 1. */
async function follow(page: string, checks: Readonly<Record<number, () => Promise<void>>>): Promise<string[]> {
  const said: string[] = []
  const commands = commandsOf(page)
  assert.ok(commands.length > 5, page)
  for (const [i, command] of commands.entries()) {
    const places: Record<string, string> = {}
    for (const [place, own] of Object.entries({
      '/etc/zonewright': etc[command.name] ?? assert.fail(command.name),
      '/opt/zonewright': inRepository('').replace(/\/$/, ''),
      '127.0.0.1:19300': figures[0] ?? '',
    }))
      if (command.text.includes(place)) places[place] = own
    const env = {
      PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
      SYSTEMD: `http://127.0.0.1:${(systemd.address() as AddressInfo).port}/${command.name}`,
    }
    said.push(...(await runInShell(inPlace([command], places), { cwd: folder, env, withinMs: 400_000 })))
    await checks[i + 1]?.()
  }
  return said
}

const made = await world.admin('key', 'create', facts.account.email, 'rotation', '--copies', '20')
const keys = (JSON.parse(made) as { secret: string }[]).map(({ secret }) => secret)

/** Clients that use the other API if one does not accept a connection, or has closed a persistent one. */
function startClients(name: string) {
  const failed: string[] = []
  const names: string[] = []
  const serials: number[] = []
  const end = new AbortController()
  let sent = 0
  const attempts = 4
  const change = async (): Promise<void> => {
    while (!end.signal.aborted) {
      const each = `${name}-${sent++}`
      for (let attempt = 0; attempt < attempts; attempt++)
        try {
          const api = new Api(bases[(sent + attempt) % 2] ?? '', [keys[sent % keys.length] ?? ''])
          const { headers } = await api.put(zone, each, 'A', ['192.0.2.1'])
          serials.push(Number(headers.get('zone-serial')))
          names.push(each)
          break
        } catch (error) {
          if (error instanceof TypeError && attempt < attempts - 1) continue
          failed.push(`${each}: ${error} ${(error as Error).cause ?? ''}`)
          break
        }
      await delay(400)
    }
  }
  const running = [1, 2].map(change)
  return {
    stop: async () => {
      end.abort()
      await Promise.all(running)
      return { failed, names, serials }
    },
  }
}

/** Checks that the receiver got each change with a valid signature, and that both nameservers serve it. */
async function assertServed({ failed, names, serials }: Awaited<ReturnType<ReturnType<typeof startClients>['stop']>>) {
  assert.deepEqual(failed, [])
  assert.ok(names.length > 20, `${names.length} changes`)
  const all = await eventually(
    'every change is received',
    async () => {
      const requests = await world.received.requests()
      const seen = new Set(requests.map(({ body }) => JSON.parse(body).data.serial as number))
      return serials.every((serial) => seen.has(serial)) && requests
    },
    120_000,
  )
  assert.deepEqual(
    all.filter(({ verified }) => !verified).map(({ doubt }) => doubt),
    [],
  )
  for (const { address } of facts.nameservers)
    for (const name of names) await untilAnswered(address, `${name}.${zone}`, 'A', '192.0.2.1')
}

async function signedIn(): Promise<Browser> {
  const browser = new Browser(facts.base_url)
  const { email, password, totp_secret } = facts.account
  const begun = await browser.call('POST', '/api/auth/sign-in/email', { email, password })
  assert.equal(begun.status, 200, JSON.stringify(begun.body))
  const code = await freshCode(totp_secret)
  const done = await browser.call('POST', '/api/auth/two-factor/verify-totp', { code })
  assert.equal(done.status, 200, JSON.stringify(done.body))
  return browser
}

const statusOf = async (browser: Browser): Promise<number> => (await browser.call('GET', '/api/v1/account')).status

/** How many of the endpoints' secrets this key opens with the right content. */
async function openedBy(key: string): Promise<number> {
  const box = new SecretBox(Buffer.from(key, 'base64'))
  const { rows } = await database.query<{ id: string; secrets: Buffer[] }>(
    "select id, secrets from webhook_endpoints where id like 'whe_rotated%'",
  )
  return rows.filter(({ id, secrets }) => {
    try {
      return box.open('webhook_endpoints.secrets', id, secrets[0] ?? Buffer.alloc(0)) === `secret of ${id}`
    } catch {
      return false
    }
  }).length
}

test('the runbook replaces SECRET_KEY: no request fails, secrets and sessions work, reseal-secrets survives a kill', async (t) => {
  const box = new SecretBox(Buffer.from(oldKey, 'base64'))
  // Not in the account whose zone changes, because its events would have to pass all of them.
  const others = 'others@zonewright.test'
  await world.admin('account', 'create', others)
  const ids = Array.from({ length: endpoints }, (_, i) => `whe_rotated${i}`)
  await database.query(
    `insert into webhook_endpoints (id, account_id, url, secrets, state, disabled_at, disabled_reason)
     select n.id, a.id, 'https://192.0.2.1/', array[n.secret], 'disabled', app_now(), 'failing'
     from accounts a, unnest($1::text[], $2::bytea[]) as n (id, secret) where email = $3`,
    [ids, ids.map((id) => box.seal('webhook_endpoints.secrets', id, `secret of ${id}`)), others],
  )
  const browser = await signedIn()
  const once = { 'idempotency-key': 'during-rotation' }
  const contact = () =>
    world.api.call('POST', `/zones/${zone}/rrsets`, { name: 'once', type: 'A', ttl: 60, records: ['192.0.2.7'] }, once)
  const first = await contact()
  assert.equal(first.status, 201, JSON.stringify(first.body))
  const clients = startClients('secret')
  t.after(() => clients.stop())

  const said = await follow('docs/runbooks/rotate-secret-key.md', {
    2: async () => assert.equal(await statusOf(browser), 200, 'a session, when both keys are known'),
    3: async () => {
      assert.equal(await statusOf(browser), 200, 'a session, when the new key signs')
      assert.equal(await statusOf(await signedIn()), 200, 'two-factor authentication before the data is sealed again')
      assert.deepEqual((await contact()).body, first.body, 'a repeat')
      await killReseal()
      const [before, now] = [await openedBy(oldKey), await openedBy(settings()['SECRET_KEY'] ?? '')]
      t.diagnostic(`killed when ${now} of ${endpoints} secrets were sealed again`)
      assert.ok(before > 0 && now > 0 && before + now === endpoints, `${before} + ${now}`)
    },
    4: async () => {
      assert.equal(await openedBy(settings()['SECRET_KEY'] ?? ''), endpoints)
      assert.equal(await statusOf(browser), 200, 'a session, when everything is sealed with the new key')
    },
    5: async () => {
      assert.equal(await statusOf(browser), 401, 'a session from before, without the old key')
      assert.equal(await statusOf(await signedIn()), 200, 'a new session')
    },
  })
  assert.match(
    said[3] ?? '',
    /^All \d+ sealed values in the database are sealed with SECRET_KEY; [1-9]\d* of them were sealed again now\. The database no longer needs SECRET_KEY_FALLBACK\.\n$/,
  )
  assert.match(said[5] ?? '', /^ok +SECRET_KEY opens what was sealed with it\.\n$/)
  assert.notEqual(settings()['SECRET_KEY'], oldKey)
  await assertServed(await clients.stop())
})

/** Starts the command, and kills it once it has sealed some of the endpoints' secrets. */
async function killReseal(): Promise<void> {
  const child = spawn(process.execPath, [inRepository('service/bin/admin.ts'), 'reseal-secrets'], {
    env: { ...process.env, ...settings() },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (/^webhook_endpoints\.secrets: [1-9]/m.test(text)) child.kill('SIGKILL')
  })
  const signal = await new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)))
  assert.equal(signal, 'SIGKILL')
}

test('the runbook replaces TSIG_KEY: no transfer is refused, and every change is served', async (t) => {
  const clients = startClients('tsig')
  t.after(() => clients.stop())
  const served = async (name: string): Promise<void> => {
    await world.api.put(zone, name, 'A', ['192.0.2.8'])
    for (const { address } of facts.nameservers) await untilAnswered(address, `${name}.${zone}`, 'A', '192.0.2.8')
    await countRefused()
  }
  const said = await follow('docs/runbooks/rotate-tsig.md', {
    1: async () => copyFileSync(join(etc['service'] ?? '', 'new-tsig.key'), join(world.dataDir, 'new-tsig.key')),
    2: () => served('both-accept'),
    3: () => served('nameservers-sign'),
    4: () => served('primaries-sign'),
    7: () => served('primaries-forget'),
    8: () => served('nameservers-forget'),
  })
  assert.match(said[4] ?? '', /primary at .* answers with our key/)
  assert.doesNotMatch(said[4] ?? '', /refuses our NOTIFY/)
  assert.match(settings()['TSIG_KEY'] ?? '', /^hmac-sha256:transfer-\d{8}:/)
  assert.equal(readFileSync(join(world.dataDir, 'tsig.key'), 'utf8').trim(), settings()['TSIG_KEY'])
  await assertServed(await clients.stop())
  assert.deepEqual(refused, [])
  for (const name of ['ns1', 'ns2'])
    assert.doesNotMatch(readFileSync(join(world.dataDir, 'logs', `${name}.log`), 'utf8'), /signature|TSIG/i, name)
})
