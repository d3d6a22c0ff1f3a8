// One part of the service in a process of its own.
import { runProcess } from '#platform/process-life.ts'
import { startApi } from './parts/api.ts'
import { openPlatform } from './parts/platform.ts'

await runProcess(async () => {
  const platform = await openPlatform('api')
  const part = await startApi(platform)
  platform.started()
  process.stdout.write('ready\n')
  return {
    stop: async () => {
      await part.stop()
      await platform.close()
    },
  }
})
