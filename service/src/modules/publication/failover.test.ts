import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { changeRecords } from '#modules/records/index.ts'
import { actorNamed } from '#platform/caller.ts'
import { createLogger } from '#platform/log.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded-postgres.ts'
import { type Database, openDatabase, sql } from '#platform/postgres/index.ts'
import { migrate } from '#platform/postgres/migrate.ts'
import { clusterPassword, postgresHome } from '#platform/postgres/postgres-home.ts'
import { eventually } from '#testing/eventually.ts'
import { plantZone } from '#testing/primary/test-zones.ts'
import { openTestWorldOn } from '#testing/publication/test-publication.ts'
import { isServed } from './store.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'zonewright-failover-'))
const { cluster } = await postgresHome(dataDir, clusterPassword(dataDir))
const log = createLogger('test', 'silent')
const ends: (() => unknown)[] = []
after(async () => {
  for (const end of ends.reverse()) await end()
  for (const folder of [dataDir, cluster, `${cluster}.saved`]) rmSync(folder, { recursive: true, force: true })
})

/** Starts the cluster and opens its database; ends both when it is closed. */
async function open(
  settings: Readonly<Record<string, string>> = {},
): Promise<{ database: Database & { url: string }; close: () => Promise<void> }> {
  const server = await startEmbeddedPostgres(dataDir, log, { settings: { shared_buffers: '16MB', ...settings } })
  await eventually('the cluster has recovered', () => migrate(server.url).then(() => true, unlessReadOnly))
  const database = openDatabase(server.url, { application: 'zonewright test', connectWithinMs: 60_000 })
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= database.close().then(() => server.stop())
    return closed
  }
  ends.push(close)
  return { database: { ...database, url: server.url }, close }
}

function unlessReadOnly(error: Error): undefined {
  if (!/read-only/.test(error.message)) throw error
}

/** Keeps the owner, which may be a different user from that of this process. */
function copyCluster(to: string): void {
  execFileSync('cp', ['-a', cluster, to])
}

const change = (zoneId: string, name: string) => ({
  zoneId,
  actor: actorNamed('operator', 'test'),
  changes: [{ name, type: 'A', ttl: undefined, ask: { kind: 'edit' as const, add: ['192.0.2.1'], remove: [] } }],
  ifMatch: undefined,
  pathOf: String,
})

test('a cluster that continues on a new timeline never uses a serial twice', async () => {
  const former = await open()
  const zone = await plantZone(former.database, 'zone.test')
  const kept = await changeRecords(former.database, change(zone.id, 'kept.zone.test'))
  await former.close()
  copyCluster(`${cluster}.saved`)

  const later = await open()
  const lost = await changeRecords(later.database, change(zone.id, 'lost.zone.test'))
  assert.ok(lost.serial > kept.serial)
  await later.close()

  rmSync(cluster, { recursive: true })
  renameSync(`${cluster}.saved`, cluster)
  // PostgreSQL replays the existing log, and continues on a new timeline, like a promoted standby.
  writeFileSync(join(cluster, 'recovery.signal'), '')
  const now = await open({ restore_command: 'false' })
  await assert.rejects(changeRecords(now.database, change(zone.id, 'new.zone.test')), { code: 'unavailable' })

  const world = await openTestWorldOn(now.database)
  const [ns1, ns2] = await world.nameservers()
  for (const nameserver of [ns1, ns2]) nameserver.serve('zone.test', lost.serial)
  const primary = await world.start([ns1.entry, ns2.entry])
  const next = await eventually('changes are accepted', () =>
    changeRecords(now.database, change(zone.id, 'new.zone.test')).catch(() => undefined),
  )
  assert.ok(next.serial >= lost.serial + 900_000, `${lost.serial} ${next.serial}`)
  for (const nameserver of [ns1, ns2]) nameserver.follow(primary.address)
  await eventually('both serve the zone', async () => {
    const { rows } = await sql<{ serial: number }>`select serial from zones where id = ${zone.id}`.execute(
      now.database.db,
    )
    return isServed(now.database.db, zone.id, rows[0]?.serial ?? 0)
  })
  await primary.stop()
})
