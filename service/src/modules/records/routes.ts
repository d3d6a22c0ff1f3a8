import type { HttpServer } from '#http/server.ts'
import { mountBulkWrites } from './bulk-routes.ts'
import { mountHistoryRoutes } from './history-routes.ts'
import { mountReads } from './read-routes.ts'
import type { RecordWriter } from './record-writer.ts'
import { mountSingleWrites } from './single-routes.ts'

/** What the record routes need from outside their module. */
export interface RecordRoutesContext {
  /** Host names of the nameservers, the primary of the SOA first. */
  readonly nameservers: readonly string[]
  readonly writer: RecordWriter
}

export function mountRecordRoutes(server: HttpServer, { nameservers, writer }: RecordRoutesContext): void {
  mountReads(server, nameservers)
  mountSingleWrites(server, writer)
  mountBulkWrites(server, writer)
  mountHistoryRoutes(server, writer)
}
