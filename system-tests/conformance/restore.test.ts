// docs/runbooks/back-up-and-restore.md on Debian's PostgreSQL: the scripts of deploy/backup, with an installation that uses them.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { standIn } from '../../tools/deployment/machine.ts'
import { type DebianPostgres, withDebianCluster } from '../../tools/local/debian-postgres.ts'
import { debianFolder } from '../../tools/local/dns-programs.ts'
import { askUdp, eventually, nightlyTest, startWorld, type World } from '../world/index.ts'
import { inRepository } from './peers/deploy-files.ts'

const settings = { archive_mode: 'on', archive_command: 'sh PLACE/scripts/archive-wal.sh PLACE/backups %p %f' }

test('an installation is restored to a point in time, and its nameservers follow', async () => {
  await withDebianCluster(debianFolder, settings, async (server) => {
    const { script, backups } = scriptsOn(server)
    const world = await startWorld({ databaseUrl: server.url })
    try {
      const zone = world.facts.zone.name
      const { email } = world.facts.account
      await world.api.put(zone, 'kept', 'A', ['192.0.2.1'])
      server.run('sh', script('base-backup'), backups)
      await world.api.put(zone, 'kept-too', 'A', ['192.0.2.2'])
      await world.admin('zone', 'add', email, 'deleted-later.test')
      const revoked = JSON.parse(await world.admin('key', 'create', email, 'revoked-later')) as { secret: string }
      await everyNameserverSays(world, `kept-too.${zone}`, 'NOERROR')

      const moment = await timeAt(server.url)
      await world.api.put(zone, 'lost', 'A', ['192.0.2.3'])
      await world.admin('zone', 'add', email, 'added-later.test')
      await world.admin('zone', 'delete', 'deleted-later.test')
      await world.admin('key', 'revoke', email, 'revoked-later')
      await everyNameserverSays(world, `lost.${zone}`, 'NOERROR')
      await everyNameserverSays(world, 'added-later.test', 'NOERROR')
      await everyNameserverSays(world, 'deleted-later.test', 'REFUSED')
      const servedBefore = await serialOf(world, zone)
      await untilArchived(server.url)

      await world.programs.service.stop()
      const takenAway = await asked(server.url, whoMayGetInAgain(moment))
      assert.deepEqual(
        takenAway.map(({ email: whose, action, summary }) => [whose, action, summary]),
        [[email, 'key.revoked', 'API key "revoked-later" was revoked']],
      )
      await restore(server, [moment], {
        // Simulates a log that takes long to read.
        beforeStart: (cluster) => holdLog(server, cluster),
        beforeWait: async () => {
          await assert.rejects(world.admin('restore-serials'), ({ code, stderr }: { code: number; stderr: string }) => {
            assert.match(stderr, /^The database is read-only: [^\n]*\/until-restored\.sh has finished[^\n]*\n$/)
            return code === 1
          })
          releaseLogOnceAsked(server)
        },
      })
      const cluster = clusterOf(server)
      assert.throws(() => server.run('sh', script('restore'), backups, cluster, moment), /is not empty/)
      // The nameservers have continued to serve their data.
      await everyNameserverSays(world, `lost.${zone}`, 'NOERROR')
      await world.admin('restore-serials')
      assert.deepEqual(JSON.parse(await world.admin('key', 'revoke', email, 'revoked-later')), { revoked: true })
      await world.programs.service.restart()
      const former = await fetch(`${world.facts.base_url}/api/v1/zones`, {
        headers: { authorization: `Bearer ${revoked.secret}` },
      })
      assert.equal(former.status, 401)

      await everyNameserverSays(world, `lost.${zone}`, 'NXDOMAIN')
      await everyNameserverSays(world, 'added-later.test', 'REFUSED')
      await everyNameserverSays(world, 'deleted-later.test', 'NOERROR')
      for (const { address } of world.facts.nameservers) {
        assert.deepEqual((await askUdp(address, `kept.${zone}`, 'A')).answers, ['192.0.2.1'])
        assert.deepEqual((await askUdp(address, `kept-too.${zone}`, 'A')).answers, ['192.0.2.2'])
      }
      assert.ok((await serialOf(world, zone)) > servedBefore, 'the serial did not go back')
      const change = { ttl: 60, records: ['192.0.2.4'] }
      const after = await world.api.call('PUT', `/zones/${zone}/rrsets/after/A`, change, { prefer: 'wait=30' })
      assert.deepEqual([after.status, after.body['replicated']], [201, true])
      // The restored cluster can be backed up again.
      server.run('sh', script('base-backup'), backups)

      // A file in place of the log's folder, so that nothing more can be archived.
      server.run('sh', '-c', `mv ${backups}/wal ${backups}/wal.away && touch ${backups}/wal`)
      await world.api.put(zone, 'not-kept', 'A', ['192.0.2.5'])
      await asked(server.url, 'select pg_switch_wal()')
      await eventually('the doctor finds that the log is not kept', async () => {
        const findings = await world.admin('doctor').catch(({ stdout }: { stdout: string }) => stdout)
        return /^FAULT +PostgreSQL has failed to archive its log since 20/m.test(findings)
      })
      const metrics = await (await fetch(new URL('/metrics', world.facts.base_url))).text()
      assert.match(metrics, /^zonewright_log_unarchived_seconds [1-9]/m)
    } finally {
      await world.stop()
    }
  })
})

nightlyTest('a restore to a time during a base backup starts from the base backup before it', async () => {
  await withDebianCluster(debianFolder, settings, async (server) => {
    const { script, backups } = scriptsOn(server)
    await asked(server.url, 'create table seen (what text)')
    const first = server.run('sh', script('base-backup'), backups).trim()
    await see(server, 'before')
    // Runs between the start of the second copy and its end.
    const happens = `psql --quiet --command "insert into seen values ('inside')" postgres`
    doFirst(server, 'pg_basebackup', `date -u +%Y-%m-%dT%H:%M:%S.%6NZ > ${backups}/inside\n${happens}`)
    const copySlowly = `PATH=${standInsOf(server)}:$PATH exec sh ${script('base-backup')} ${backups}`
    const second = server.run('sh', '-c', copySlowly).trim()
    const inside = readFileSync(join(backups, 'inside'), 'utf8').trim()
    const after = await timeAt(server.url)
    await see(server, 'after')
    await untilArchived(server.url)

    assert.deepEqual(await restored(server, inside), { from: first, seen: ['before'] })
    assert.deepEqual(await restored(server, after), { from: second, seen: ['before', 'inside'] })
  })
})

nightlyTest('a second restore goes to its own time, and one without a time to the end of the latest log', async () => {
  await withDebianCluster(debianFolder, settings, async (server) => {
    const { script, backups } = scriptsOn(server)
    await asked(server.url, 'create table seen (what text)')
    const from = server.run('sh', script('base-backup'), backups).trim()
    await see(server, 'one')
    const afterOne = await timeAt(server.url)
    await see(server, 'two')
    const afterTwo = await timeAt(server.url)
    await see(server, 'three')
    await untilArchived(server.url)
    assert.deepEqual(await restored(server), { from, seen: ['one', 'two', 'three'] })

    assert.deepEqual(await restored(server, afterOne), { from, seen: ['one'] })
    await see(server, 'of the first attempt')
    await untilArchived(server.url)
    assert.deepEqual(await restored(server, afterTwo), { from, seen: ['one', 'two'] })
    await see(server, 'last')
    const afterLast = await timeAt(server.url)
    await see(server, 'undone')
    await untilArchived(server.url)

    assert.deepEqual(await restored(server), { from, seen: ['one', 'two', 'last', 'undone'] })
    // Without a copy of the restored cluster, its moments can only be reached with its timeline, and a restore without it fails visibly.
    await assert.rejects(restored(server, afterLast), hasEnded)
    assert.throws(() => server.run('sh', script('until-restored')), /PostgreSQL does not answer: its log says why/)
    assert.deepEqual(await restored(server, afterLast, '4'), { from, seen: ['one', 'two', 'last'] })
    // A copy of a restored cluster contains the settings of that restore, which the next restore must not use.
    const next = server.run('sh', script('base-backup'), backups).trim()
    await see(server, 'next')
    await untilArchived(server.url)
    assert.deepEqual(await restored(server), { from: next, seen: ['one', 'two', 'last', 'next'] })

    // A restore cannot begin with a copy that it undoes: PostgreSQL refuses it. Without that copy, the restore begins with the one before it.
    assert.deepEqual(await restored(server, afterLast, '4'), { from, seen: ['one', 'two', 'last'] })
    await see(server, 'again')
    await untilArchived(server.url)
    await assert.rejects(restored(server), hasEnded)
    server.run('mv', next, `${backups}/undone`)
    assert.deepEqual(await restored(server), { from, seen: ['one', 'two', 'last', 'again'] })
  })
})

nightlyTest(
  'the log that a base backup needs is kept, even next to an older backup with a later position in an abandoned timeline',
  async () => {
    await withDebianCluster(debianFolder, settings, async (server) => {
      const { script, backups } = scriptsOn(server)
      await asked(server.url, 'create table seen (what text)')
      server.run('sh', script('base-backup'), backups)
      await see(server, 'one')
      const moment = await timeAt(server.url)
      for (const what of ['undone', 'undone, too', 'and this']) {
        await see(server, what)
        await asked(server.url, 'select pg_switch_wal()')
      }
      server.run('sh', script('base-backup'), backups)
      await restored(server, moment)
      await see(server, 'two')
      const from = server.run('sh', '-c', `KEEP=2 exec sh ${script('base-backup')} ${backups}`).trim()
      await see(server, 'three')
      await untilArchived(server.url)
      assert.deepEqual(await restored(server), { from, seen: ['one', 'two', 'three'] })
      // The start of the backup that is no longer kept.
      const first = ['000000010000000000000001.gz', '000000010000000000000002.gz']
      assert.deepEqual(
        readdirSync(join(backups, 'wal')).filter((file) => first.includes(file)),
        [],
      )
    })
  },
)

/** The scripts where the server's user can read them (a clone may be in root's home), and the folder for its backups. */
function scriptsOn({ place }: DebianPostgres): { script: (name: string) => string; backups: string } {
  cpSync(inRepository('deploy/backup'), join(place, 'scripts'), { recursive: true })
  return { script: (name) => join(place, 'scripts', `${name}.sh`), backups: join(place, 'backups') }
}

/** PostgreSQL ended before it accepted a connection, or during the wait for the end of recovery. */
const hasEnded = /did not take connections|PostgreSQL does not answer/

async function see({ url }: DebianPostgres, what: string): Promise<void> {
  await asked(url, `insert into seen values ('${what}')`)
}

/** Restores into a new cluster, which then runs. Returns the copy that it began with, and the rows that the cluster has. */
async function restored(server: DebianPostgres, ...at: readonly string[]): Promise<{ from: string; seen: string[] }> {
  const said = await restore(server, at)
  const seen: Record<string, string>[] = await asked(server.url, 'select what from seen')
  return { from: /^from (\S+):/m.exec(said)?.[1] ?? said, seen: seen.map(({ what }) => what ?? '') }
}

/** Actions between the lines of the page. */
interface Meanwhile {
  readonly beforeStart?: (cluster: string) => void
  readonly beforeWait?: () => Promise<void>
}

/** Runs step 2 of the page, line by line. Returns the output of its commands. */
async function restore(server: DebianPostgres, at: readonly string[], meanwhile: Meanwhile = {}): Promise<string> {
  const { script, backups } = scriptsOn(server)
  const cluster = clusterOf(server)
  const page = readFileSync(inRepository('docs/runbooks/back-up-and-restore.md'), 'utf8')
  const [, block = ''] = /^2\. Stop PostgreSQL, .*?^ {3}```sh\n(.*?)^ {3}```$/ms.exec(page) ?? []
  const lines = block.trim().split(/ &&\n +/)
  assert.equal(lines.length, 6, block)
  const said: string[] = []
  for (const line of lines) {
    if (line === 'systemctl stop postgresql') await server.stop()
    else if (line === 'systemctl start postgresql') {
      meanwhile.beforeStart?.(cluster)
      await server.start(cluster)
      await meanwhile.beforeWait?.()
    } else {
      const here = line
        .replace('cd /opt/zonewright', `cd ${server.place}`)
        .replace(/^runuser -u postgres -- deploy\/backup\/(\S+)\.sh/, (_, name: string) => `sh ${script(name)}`)
        .replaceAll('/var/lib/postgresql/15/main', cluster)
        .replace(`${cluster}.broken`, `${cluster}-${randomUUID()}`)
        .replace('/var/backups/zonewright', backups)
        .replace('2026-11-20T14:05:00Z', at.join(' '))
      said.push(server.run('sh', '-euc', `PATH=${standInsOf(server)}:$PATH; ${here}`))
    }
  }
  return said.join('')
}

/** The audit log query of the page before step 2. */
function whoMayGetInAgain(moment: string): string {
  const page = readFileSync(inRepository('docs/runbooks/back-up-and-restore.md'), 'utf8')
  const [, block = ''] = /^### Who may get in again$.*?^```sql\n(.*?)^```$/ms.exec(page) ?? []
  assert.ok(block.includes('2026-11-20T14:05:00Z'), block)
  return block.replace('2026-11-20T14:05:00Z', moment)
}

/** Replaces `/var/lib/postgresql/15/main` of the page. */
const clusterOf = ({ place }: DebianPostgres): string => join(place, 'cluster')

/** While this file exists, a held log is not read further. */
const heldOf = ({ place }: DebianPostgres): string => join(place, 'backups/held')

/** Lets the log be read until the copy is consistent, so that the cluster accepts connections, and no further. */
function holdLog(server: DebianPostgres, cluster: string): void {
  const wal = join(server.place, 'backups/wal')
  const [, end = assert.fail('no end of a copy')] =
    /^STOP WAL LOCATION: \S+ \(file (\S+)\)$/m.exec(server.run('sh', '-c', `gunzip -c ${wal}/*.backup.gz`)) ?? []
  writeFileSync(heldOf(server), '')
  // PostgreSQL's settings file consumes one backslash.
  const command = `while [ %f \\\\> ${end} ] && [ -e ${heldOf(server)} ]; do sleep 0.1; done; gunzip -c "${wal}/%f.gz" > "%p"`
  // Otherwise, prefetching would also be held, before the copy is consistent.
  const settings = `restore_command = '${command}'\nrecovery_prefetch = off\n`
  appendFileSync(join(cluster, 'postgresql.auto.conf'), settings)
}

/** The second call of psql releases the log. */
function releaseLogOnceAsked(server: DebianPostgres): void {
  const once = join(server.place, 'backups/asked')
  doFirst(server, 'psql', `[ ! -e ${once} ] || rm -f ${heldOf(server)}\ntouch ${once}`)
}

/** Makes a program of PostgreSQL do something before its work if it is found through `standInsOf`. */
function doFirst(server: DebianPostgres, program: string, script: string): void {
  mkdirSync(standInsOf(server), { recursive: true })
  standIn(standInsOf(server), program, `PATH=\${PATH#*:}\n${script}\nexec ${program} "$@"`)
}

/** The folder of programs that are found before PostgreSQL's own, also by the page's commands. */
const standInsOf = ({ place }: DebianPostgres): string => join(place, 'stand-ins')

async function everyNameserverSays(world: World, name: string, rcode: string): Promise<void> {
  for (const { name: nameserver, address } of world.facts.nameservers)
    await eventually(
      `${nameserver} says ${rcode} of ${name}`,
      async () => (await askUdp(address, name, name.split('.').length > 2 ? 'A' : 'SOA')).rcode === rcode,
    )
}

/** The serial that ns1 serves. */
async function serialOf(world: World, zone: string): Promise<number> {
  const { answers } = await askUdp(world.facts.nameservers[0]?.address ?? '', zone, 'SOA')
  return JSON.parse(answers[0] ?? '').serial
}

/** The database's own clock, at a moment at which no transaction ends. */
async function timeAt(url: string): Promise<string> {
  const [{ now }] = await asked(
    url,
    `select to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now`,
  )
  return now ?? ''
}

/** Waits until everything that was written so far is in the archive. */
async function untilArchived(url: string): Promise<void> {
  const [{ segment }] = await asked(url, 'select pg_walfile_name(pg_current_wal_lsn()) as segment')
  await asked(url, 'select pg_switch_wal()')
  await eventually('the log is archived', async () => {
    const [{ last }] = await asked(url, 'select last_archived_wal as last from pg_stat_archiver')
    return (last ?? '') >= (segment ?? '')
  })
}

async function asked(url: string, query: string): Promise<[Record<string, string>]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(query)
    return rows as [Record<string, string>]
  } finally {
    await client.end()
  }
}
