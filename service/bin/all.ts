// The whole service in one process: API, worker and hidden primary.
import { runProcess } from '#platform/process-life.ts'
import { startApi } from './parts/api.ts'
import { openPlatform } from './parts/platform.ts'
import { startPrimary } from './parts/primary.ts'
import { startWorker } from './parts/worker.ts'

await runProcess(async () => {
  const platform = await openPlatform('all')
  const primary = await startPrimary(platform)
  const worker = await startWorker(platform)
  const api = await startApi(platform)
  platform.started()
  process.stdout.write(`ready ${api.address}\n`)
  return {
    stop: async () => {
      // Inwards first: no new requests, then what they set off, then the connections.
      await api.stop()
      await worker.stop()
      await primary.stop()
      await platform.close()
    },
  }
})
