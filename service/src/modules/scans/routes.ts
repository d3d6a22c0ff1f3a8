import { scanRoutes, scanToWire, type WireScan } from '@zonewright/contract'
import type { HttpServer } from '#http/server.ts'
import { Refusal } from '#platform/errors.ts'
import type { Db } from '#platform/postgres/index.ts'
import { startScan } from './start-scan.ts'
import { readScan } from './store.ts'

export function mountScanRoutes(server: HttpServer): void {
  const { db } = server.database

  server.mount(scanRoutes.startScan, ({ actor, caller, zone, transact }) =>
    transact(async (tx) => {
      await startScan(tx, actor, caller.accountId, zone.id)
      return { status: 202, body: await shown(tx, zone.id) }
    }),
  )

  server.mount(scanRoutes.getScan, async ({ zone }) => ({ status: 200, body: await shown(db, zone.id) }))
}

async function shown(db: Db, zoneId: string): Promise<WireScan> {
  const row = await readScan(db, zoneId)
  if (row === undefined)
    throw new Refusal('not_found', 'The zone has no scan. The result of a scan is deleted an hour after its end.')
  return scanToWire(row)
}
