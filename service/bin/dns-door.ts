// One part of the service in a process of its own.

import { startDnsDoor } from '#compose/dns-door.ts'
import { openPlatform } from '#compose/platform.ts'
import { runProcess } from '#platform/work/process-life.ts'

await runProcess(async () => {
  const platform = await openPlatform('dns-door')
  const part = await startDnsDoor(platform)
  platform.started()
  process.stdout.write('ready\n')
  return {
    stop: async () => {
      await part.stop()
      await platform.close()
    },
  }
})
