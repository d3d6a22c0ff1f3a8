// The whole service in one process: API, worker, hidden primary and DNS door.

import { startApi } from '#compose/api.ts'
import { startDnsDoor } from '#compose/dns-door.ts'
import { openPlatform } from '#compose/platform.ts'
import { startPrimary } from '#compose/primary.ts'
import { startWorker } from '#compose/worker.ts'
import { runProcess } from '#platform/work/process-life.ts'

await runProcess(async () => {
  const platform = await openPlatform('all')
  const primary = await startPrimary(platform)
  const worker = await startWorker(platform)
  const door = await startDnsDoor(platform)
  const api = await startApi(platform)
  platform.started()
  process.stdout.write(`ready ${api.address}\n`)
  return {
    stop: async () => {
      // From the outside in: stop new requests first, then the work that they started, then the connections.
      await Promise.all([api.stop(), door.stop()])
      await worker.stop()
      await primary.stop()
      await platform.close()
    },
  }
})
