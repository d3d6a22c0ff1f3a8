// One part of the service in a process of its own.
import { runProcess } from '#platform/process-life.ts'
import { openPlatform } from './parts/platform.ts'
import { startPrimary } from './parts/primary.ts'

await runProcess(async () => {
  const platform = await openPlatform('primary')
  const part = await startPrimary(platform)
  platform.started()
  process.stdout.write('ready\n')
  return {
    stop: async () => {
      await part.stop()
      await platform.close()
    },
  }
})
