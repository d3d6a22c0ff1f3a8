// One part of the service in a process of its own.

import { openPlatform } from '#compose/platform.ts'
import { startPrimary } from '#compose/primary.ts'
import { runProcess } from '#platform/work/process-life.ts'

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
