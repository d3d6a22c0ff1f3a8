import { HeldSweeper } from '#modules/events/index.ts'
import { startWebhooks, webhookJobs } from '#modules/webhooks/index.ts'
import { housekeeping } from '#platform/housekeeping.ts'
import { startJobs } from '#platform/jobs.ts'
import type { Running } from '#platform/process-life.ts'
import type { Platform } from './platform.ts'
import { webhookHttpOf } from './webhook-http.ts'

/** The background: releasing overdue events, fanning events out, delivering them, recurring jobs. */
export async function startWorker(platform: Platform): Promise<Running> {
  const { configuration, database, log, metrics, secrets, wake } = platform
  const http = webhookHttpOf(configuration)
  const sweeper = new HeldSweeper({ database, log })
  sweeper.start()
  const webhooks = startWebhooks({ database, wake, log, metrics, secrets, http, site: configuration.publicUrl })
  const jobs = await startJobs(database, [...housekeeping, ...webhookJobs], log)
  return {
    stop: async () => {
      await Promise.all([webhooks.stop(), sweeper.stop(), jobs.stop()])
      await http.close()
    },
  }
}
