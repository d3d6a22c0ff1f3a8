// docs/runbooks/back-up-and-restore.md on Debian's PostgreSQL: the scripts of deploy/backup, and an installation around them.
import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { withDebianCluster } from '../../tools/local/debian-postgres.ts'
import { debianFolder } from '../../tools/local/dns-programs.ts'
import { askUdp, eventually, startWorld, type World } from '../world/index.ts'
import { inRepository } from './peers/deploy-files.ts'

test('an installation is brought back to a moment, and its nameservers follow it there', async () => {
  const settings = { archive_mode: 'on', archive_command: 'sh PLACE/scripts/archive-wal.sh PLACE/backups %p %f' }
  await withDebianCluster(debianFolder, settings, async (server) => {
    // Where the server's user can read them: a clone may be in root's home.
    cpSync(inRepository('deploy/backup'), join(server.place, 'scripts'), { recursive: true })
    const script = (name: string): string => join(server.place, 'scripts', `${name}.sh`)
    const backups = join(server.place, 'backups')
    const world = await startWorld({ databaseUrl: server.url })
    try {
      const zone = world.facts.zone.name
      const { email } = world.facts.account
      await world.api.put(zone, 'kept', 'A', ['192.0.2.1'])
      server.run('sh', script('base-backup'), backups)
      await world.api.put(zone, 'kept-too', 'A', ['192.0.2.2'])
      await world.admin('zone', 'add', email, 'deleted-later.test')
      await everyNameserverSays(world, `kept-too.${zone}`, 'NOERROR')

      const moment = await timeAt(server.url)
      await world.api.put(zone, 'lost', 'A', ['192.0.2.3'])
      await world.admin('zone', 'add', email, 'added-later.test')
      await world.admin('zone', 'delete', 'deleted-later.test')
      await everyNameserverSays(world, `lost.${zone}`, 'NOERROR')
      await everyNameserverSays(world, 'added-later.test', 'NOERROR')
      await everyNameserverSays(world, 'deleted-later.test', 'REFUSED')
      const servedBefore = await serialOf(world, zone)
      await untilArchived(server.url)

      await world.programs.service.stop()
      await server.stop()
      const cluster = join(server.place, 'restored')
      server.run('sh', script('restore'), backups, cluster, moment)
      assert.throws(() => server.run('sh', script('restore'), backups, cluster, moment), /is not empty/)
      await server.start(cluster)
      // The nameservers have gone on answering what they had.
      await everyNameserverSays(world, `lost.${zone}`, 'NOERROR')
      await world.admin('restore-serials')
      await world.programs.service.restart()

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
      // The restored cluster is one that can be copied again.
      server.run('sh', script('base-backup'), backups)
    } finally {
      await world.stop()
    }
  })
})

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

/** The database's own time of day, in a moment that no transaction has ended in. */
async function timeAt(url: string): Promise<string> {
  const [{ now }] = await asked(
    url,
    `select to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now`,
  )
  return now ?? ''
}

/** What was written until now is in the archive. */
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
