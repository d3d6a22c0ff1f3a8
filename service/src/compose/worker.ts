import { accountJobs } from '#modules/accounts/index.ts'
import { keyJobs } from '#modules/api-keys/index.ts'
import { Checker } from '#modules/delegation/index.ts'
import { erasureJobs } from '#modules/erasure/index.ts'
import { HeldSweeper } from '#modules/events/index.ts'
import { mailJobs, startMails } from '#modules/mail/index.ts'
import { orderJobs } from '#modules/orders/index.ts'
import { publicationJobs } from '#modules/publication/index.ts'
import { recordJobs } from '#modules/records/index.ts'
import { sharingJobs } from '#modules/sharing/index.ts'
import { startWebhooks, webhookJobs } from '#modules/webhooks/index.ts'
import { startZoneVerification, zoneJobs } from '#modules/zones/index.ts'
import { housekeeping } from '#platform/housekeeping.ts'
import { startJobs } from '#platform/jobs.ts'
import type { Running } from '#platform/process-life.ts'
import { startCommerce } from './commerce.ts'
import { delegationSources } from './delegation-sources.ts'
import { mailServerOf } from './mail-server.ts'
import type { Platform } from './platform.ts'
import { verificationOf } from './verification.ts'
import { webhookHttpOf } from './webhook-http.ts'

/**
 * The background: releasing overdue events, fanning events out, delivering them, sending mails, checking delegations,
 * working on orders and payments, recurring jobs.
 */
export async function startWorker(platform: Platform): Promise<Running> {
  const { configuration, database, log, metrics, secrets, wake } = platform
  const http = webhookHttpOf(configuration)
  const sweeper = new HeldSweeper({ database, log })
  sweeper.start()
  const webhooks = startWebhooks({ database, wake, log, metrics, secrets, http, site: configuration.publicUrl })
  const mailServer = mailServerOf(configuration)
  const mails = startMails({ database, wake, log, metrics, secrets, server: mailServer })
  const verification = verificationOf(platform)
  const zones = startZoneVerification({ database, log, ...verification })
  const nameservers = configuration.nameservers.map(({ name }) => name)
  const sources = delegationSources(platform)
  const checker = new Checker({ database, log, metrics, nameservers, ...sources })
  checker.start()
  const commerce = startCommerce(platform)
  const notices = keyJobs({ secrets, site: configuration.publicUrl })
  const recurring = [
    ...housekeeping,
    ...webhookJobs,
    ...publicationJobs,
    ...accountJobs,
    ...zoneJobs,
    ...sharingJobs,
    ...recordJobs({ log, secrets, site: configuration.publicUrl }),
    ...erasureJobs(verification),
    ...mailJobs,
    ...orderJobs,
    ...commerce.jobs,
    ...notices,
  ]
  const jobs = await startJobs(database, recurring, log, metrics)
  return {
    stop: async () => {
      await Promise.all([webhooks, sweeper, mails, zones, checker, commerce, jobs].map((part) => part.stop()))
      await Promise.all([http.close(), mailServer?.close(), sources.registry.close()])
    },
  }
}
