import { scanRoutes, scanToWire, type WireScan } from '@zonewright/contract'
import type { HttpServer } from '#http/server.ts'
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
  return scanToWire(await readScan(db, zoneId))
}
