import { after } from 'node:test'
import type { NameserverEntry } from '#modules/primary/nameserver-store.ts'
import { type Publication, type PublicationOptions, startPublication } from '#modules/publication/start-publication.ts'
import { delegateTo } from '#modules/records/index.ts'
import { createMetrics, type Metrics } from '#platform/figures/metrics.ts'
import { createLogger } from '#platform/log.ts'
import { Wake } from '#platform/postgres/index.ts'
import { cloneDatabase, type TestDatabase } from '#testing/platform/test-database.ts'
import { testKey } from '../primary/test-secondary.ts'
import { TestNameserver } from './test-nameserver.ts'

export const testCatalog = 'catalog.zonewright.invalid'

/** An address without a listener, for tests that only transfer. */
const nobody: readonly NameserverEntry[] = [
  { name: 'ns1.zonewright.test', address: '127.0.0.1:9' },
  { name: 'ns2.zonewright.test', address: '127.0.0.1:9' },
]

/** A test file's database, and what runs on it. */
export interface TestWorld {
  readonly database: TestDatabase
  /** The wake-ups that would come from other processes. */
  readonly wake: Wake
  /** Starts a primary. Several may run, as in an installation with several processes. */
  start(
    nameservers?: readonly NameserverEntry[],
    options?: Partial<Pick<PublicationOptions, 'watchAfterMs' | 'tsigKeys'>>,
  ): Promise<Publication & { readonly metrics: Metrics }>
  /** ns1 and ns2, scripted. */
  nameservers(): Promise<[TestNameserver, TestNameserver]>
  onEnd(work: () => unknown): void
}

/** Opens the world. After the file's tests, its parts end in reverse order, and then its database. */
export async function openTestWorld(): Promise<TestWorld> {
  const ends: (() => unknown)[] = []
  endAfter(ends)
  return worldOn(await cloneDatabase(), ends)
}

/** The same on the caller's database, which the caller closes. */
export function openTestWorldOn(database: TestDatabase): Promise<TestWorld> {
  const ends: (() => unknown)[] = []
  endAfter(ends)
  return worldOn(database, ends)
}

/** Registered before the end of the database, which waits for every connection. */
function endAfter(ends: (() => unknown)[]): void {
  after(async () => {
    for (const end of ends.reverse()) await end()
  })
}

async function worldOn(database: TestDatabase, ends: (() => unknown)[]): Promise<TestWorld> {
  const log = createLogger('test', 'silent')
  const wake = new Wake(database.url, log)
  await wake.start()
  ends.push(() => wake.close())
  return {
    database,
    wake,
    onEnd: (work) => ends.push(work),
    start: async (nameservers = nobody, options = {}) => {
      const metrics = createMetrics()
      const publication = await startPublication({
        database,
        wake,
        log,
        metrics,
        listen: { host: '127.0.0.1', port: 0 },
        nameservers,
        tsigKeys: [testKey],
        catalogName: testCatalog,
        delegate: delegateTo(nameservers.map(({ name }) => name)),
        ...options,
      })
      let stopped: Promise<void> | undefined
      const stop = (): Promise<void> => {
        stopped ??= publication.stop()
        return stopped
      }
      ends.push(stop)
      return { address: publication.address, metrics, stop }
    },
    nameservers: async () => {
      const both: [TestNameserver, TestNameserver] = [
        await TestNameserver.start('ns1.zonewright.test'),
        await TestNameserver.start('ns2.zonewright.test'),
      ]
      ends.push(() => both.map((nameserver) => nameserver.close()))
      return both
    },
  }
}
