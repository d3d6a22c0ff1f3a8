// The disk of PostgreSQL is filled for real, under changes and reads, and the operator runs the commands of the runbook. Mounts a small disk,
// so it runs as root.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startEmbeddedPostgres } from '@zonewright/service/embedded-postgres'
import { createLogger } from '@zonewright/service/log'
import pg from 'pg'
import { commandsOf, inPlace, runInShell } from '../conformance/peers/customer-docs.ts'
import { inRepository } from '../conformance/peers/deploy-files.ts'
import { eventually, startWorld, untilAnswered } from '../world/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'zonewright-full-'))
const disk = join(folder, 'disk')
mkdirSync(disk)
// PostgreSQL runs as another user.
chmodSync(folder, 0o755)
// Room for the reserve of the page, and 160 MiB.
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1184m', 'tmpfs', disk])
// Also if the tests do not begin.
process.on('exit', () => {
  execFileSync('umount', ['--lazy', disk])
  rmSync(folder, { recursive: true })
})
const postgres = await startEmbeddedPostgres(folder, createLogger('drill', 'silent'))
const owner = new pg.Client({ connectionString: postgres.url })
await owner.connect()
// All of the database except its log is on the small disk.
const { uid, gid } = statSync(`/proc/${postgres.pid}`)
chownSync(disk, uid, gid)
await owner.query(`create tablespace small location '${disk}'`)
await owner.query('create database drill tablespace small template template0')
const world = await startWorld({ databaseUrl: postgres.url.replace(/\/zonewright$/, '/drill') })
after(async () => {
  await world.stop()
  await owner.end()
  await postgres.stop()
  await postgres.erase()
})
const { api, facts } = world
const zone = facts.zone.name

/** The operator's machine. */
mkdirSync(join(folder, 'etc'))
const shown = Object.entries(world.env)
writeFileSync(
  join(folder, 'etc/zonewright.env'),
  shown.map(([name, value]) => `${name}=${/[ <>&;?]/.test(value) ? `'${value}'` : value}\n`).join(''),
)
const server = new URL(postgres.url)
const env = {
  PGHOST: decodeURIComponent(server.hostname),
  PGPORT: server.port,
  PGUSER: decodeURIComponent(server.username),
  PGPASSWORD: decodeURIComponent(server.password),
}

const text = 'x'.repeat(200)

/** Changes a record and reads the zone repeatedly. Returns the status of each response, and the confirmed changes. */
function startLoad() {
  const confirmed: string[] = []
  const puts: number[] = []
  const gets: number[] = []
  const end = new AbortController()
  const run = async (): Promise<void> => {
    for (let i = 0; !end.signal.aborted; i++) {
      const name = `full${i}`
      const path = `/zones/${zone}/rrsets/${name}/TXT`
      const records = Array.from({ length: 10 }, (_, n) => `"${i} ${n} ${text}"`)
      const { status } = await api.call('PUT', path, { ttl: 60, records })
      puts.push(status)
      if (status < 300) confirmed.push(name)
      gets.push((await api.call('GET', `/zones/${zone}`)).status)
      await delay(100)
    }
  }
  const running = run()
  return {
    confirmed,
    puts,
    gets,
    stop: async () => {
      end.abort()
      await running
    },
  }
}

test('the runbook frees a full disk: reads work, writes get 503, and it recovers without a restart or a lost change', async (t) => {
  const pid = world.programs.service.pid
  const filler = join(disk, 'of-another-program')
  await owner.query("select pg_create_physical_replication_slot('abandoned', true)")
  const load = startLoad()
  t.after(() => load.stop())
  const confirmed = async (): Promise<void> => {
    const before = load.confirmed.length
    await eventually('changes are confirmed', async () => load.confirmed.length > before + 5)
  }
  /** What happens after the block of this number, from 1, and what its output contains. */
  const checks: Readonly<Record<number, { says?: RegExp; next?: () => Promise<void> }>> = {
    1: {
      next: async () => {
        await confirmed()
        try {
          writeFileSync(filler, Buffer.alloc(300 << 20))
        } catch {
          // The disk is full.
        }
        await eventually('writes get 503', async () => load.puts.at(-1) === 503)
        await eventually('/readyz says why', async () =>
          (await (await fetch(`${facts.base_url}/readyz`)).text()).includes('"writes":"disk_full"'),
        )
      },
    },
    2: { says: /"writes":"disk_full"/ },
    3: { says: /100%/ },
    4: { next: confirmed },
    5: { says: /"writes":"ok"/ },
    6: { says: new RegExp(`${disk}\n$`) },
    7: { says: /abandoned +\| f/ },
    8: { next: async () => rmSync(filler) },
  }
  const commands = commandsOf('docs/runbooks/disk-full.md')
  assert.equal(commands.length, 10)
  for (const [i, command] of commands.entries()) {
    const places: Record<string, string> = {}
    for (const [place, own] of Object.entries({
      '/var/lib/postgresql': disk,
      '/etc/zonewright': join(folder, 'etc'),
      '/opt/zonewright': inRepository('').replace(/\/$/, ''),
      'http://127.0.0.1:8081': facts.base_url,
      SLOT: 'abandoned',
    }))
      if (command.text.includes(place)) places[place] = own
    const said = (await runInShell(inPlace([command], places), { cwd: folder, env })).join('')
    const { says, next } = checks[i + 1] ?? {}
    if (says) assert.match(said, says, command.text)
    await next?.()
  }
  await confirmed()
  await load.stop()
  const counts = (statuses: readonly number[]) =>
    JSON.stringify(
      Object.groupBy(statuses, (status) => status),
      (key, value) => (key === '' ? value : value.length),
    )
  t.diagnostic(`PUT ${counts(load.puts)}, GET ${counts(load.gets)}`)
  for (const status of load.puts) assert.ok(status < 300 || status === 503, `${status}`)
  for (const status of load.gets) assert.equal(status, 200)
  assert.equal(world.programs.service.pid, pid, 'nothing was restarted')
  await api.put(zone, 'afterwards', 'A', ['192.0.2.7'])
  for (const { address } of facts.nameservers) await untilAnswered(address, `afterwards.${zone}`, 'A', '192.0.2.7')
  for (const name of load.confirmed)
    assert.equal((await api.call('GET', `/zones/${zone}/rrsets/${name}/TXT`)).status, 200, name)
})
