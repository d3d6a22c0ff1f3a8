import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@zonewright/service/embedded-postgres'
import { createLogger } from '@zonewright/service/log'
import { dropTestDatabases, prepareTemplate } from '@zonewright/service/test-database'

/** Nobody needs its data after a crash, and an autovacuum would look at a hundred databases in turn. */
export const throwawaySettings = { fsync: 'off', full_page_writes: 'off', autovacuum: 'off' }

/**
 * Calls `work` with the superuser's URL of a PostgreSQL that has the migrated template.
 *
 * @param given - the URL of a running server: it loses its test databases afterwards. Without it a server is started, then erased.
 */
export async function withTestPostgres<T>(given: string | undefined, work: (server: string) => Promise<T>): Promise<T> {
  if (given !== undefined) {
    await prepareTemplate(given)
    return await work(given).finally(() => dropTestDatabases(given))
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'zonewright-test-'))
  const postgres = await startEmbeddedPostgres(dataDir, createLogger('test', 'warn'), { settings: throwawaySettings })
  try {
    const server = postgres.url.replace(/[^/]+$/, 'postgres')
    await prepareTemplate(server)
    return await work(server)
  } finally {
    await postgres.stop()
    await postgres.erase()
    await rm(dataDir, { recursive: true, force: true })
  }
}
