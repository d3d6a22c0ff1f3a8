import type { HttpServer } from '#http/server.ts'
import type { ResolveTargets } from '#modules/alias/index.ts'
import { mountBulkWrites } from './bulk-routes.ts'
import { mountHistoryRoutes } from './history-routes.ts'
import { mountReads } from './read-routes.ts'
import { RecordWriter } from './record-writer.ts'
import type { IsServed } from './replication.ts'
import { mountSingleWrites } from './single-routes.ts'

/** What the record routes need from outside their module. */
export interface RecordRoutesContext {
  /** Host names of the nameservers, the primary of the SOA first. */
  readonly nameservers: readonly string[]
  readonly isServed: IsServed
  readonly resolveTargets: ResolveTargets
}

export function mountRecordRoutes(
  server: HttpServer,
  { nameservers, isServed, resolveTargets }: RecordRoutesContext,
): void {
  const writer = new RecordWriter(server.database, isServed, resolveTargets)
  mountReads(server, nameservers)
  mountSingleWrites(server, writer)
  mountBulkWrites(server, writer)
  mountHistoryRoutes(server, writer)
}
