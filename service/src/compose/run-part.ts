import { type Running, runProcess } from '#platform/work/process-life.ts'
import { openPlatform, type Platform, type ProcessName } from './platform.ts'

/** Runs one part of the service as a separate process, until the process is asked to stop. */
export function runPart(name: ProcessName, start: (platform: Platform) => Promise<Running>): Promise<void> {
  return runProcess(async () => {
    const platform = await openPlatform(name)
    const part = await start(platform)
    platform.started()
    process.stdout.write('ready\n')
    return {
      stop: async () => {
        await part.stop()
        await platform.close()
      },
    }
  })
}
