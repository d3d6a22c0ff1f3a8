import { housekeeping } from '#http/housekeeping.ts'
import { accountJobs } from '#modules/accounts/index.ts'
import { aliasJobs, Refresher, TargetLookup } from '#modules/alias/index.ts'
import { keyJobs } from '#modules/api-keys/index.ts'
import { Checker, delegationJobs } from '#modules/delegation/index.ts'
import { doorJobs } from '#modules/dns-door/index.ts'
import { discoveryKeeper } from '#modules/domain-connect/index.ts'
import { erasureJobs } from '#modules/erasure/index.ts'
import { HeldSweeper } from '#modules/events/index.ts'
import { mailJobs, startMails } from '#modules/mail/index.ts'
import { orderJobs } from '#modules/orders/index.ts'
import { primaryJobs } from '#modules/primary/index.ts'
import { recordJobs } from '#modules/records/index.ts'
import { Scanner, scanJobs } from '#modules/scans/index.ts'
import { Notifier } from '#modules/secondaries/index.ts'
import { sharingJobs } from '#modules/sharing/index.ts'
import { startWebhooks, webhookJobs } from '#modules/webhooks/index.ts'
import { startZoneVerification, zoneJobs } from '#modules/zones/index.ts'
import { startJobs } from '#platform/work/jobs.ts'
import type { Running } from '#platform/work/process-life.ts'
import { startCommerce } from './commerce.ts'
import { mailServerOf } from './mail-server.ts'
import { type Outside, outsideOf } from './outside.ts'
import { nameserversOf, type Parts } from './parts.ts'
import type { Platform } from './platform.ts'
import { reachOf } from './reach.ts'
import { verificationOf } from './zone-parts.ts'

/**
 * The background work: releasing overdue events, fanning out and delivering events, sending emails, checking delegations, looking up the
 * targets of ALIAS records, notifying customers' secondaries, working on orders and payments, recurring jobs.
 */
export async function startWorker(platform: Platform): Promise<Running> {
  const { configuration, database, log, metrics, secrets, wake } = platform
  const outside = outsideOf(configuration, platform.registries)
  const sweeper = new HeldSweeper({ database, log })
  sweeper.start()
  const webhooks = startDelivery(platform, outside)
  const mailServer = mailServerOf(configuration)
  const mails = startMails({
    ...{ database, wake, log, metrics, secrets },
    server: mailServer,
    serviceName: configuration.brand.name,
  })
  const verification = verificationOf(platform, outside)
  const zones = startZoneVerification({ database, log, ...verification })
  const { parentDns, registryLookup: registry } = outside
  const { publicUrl: site, domainConnect } = configuration
  const checker = new Checker({
    ...{ database, log, metrics, secrets, site, parentDns, registry },
    nameservers: nameserversOf(platform),
  })
  checker.start()
  const lookup = new TargetLookup(database, outside.addressResolver)
  const aliases = new Refresher({ database, lookup, log, metrics })
  aliases.start()
  const discovery = discoveryKeeper({ database, log, site, isOn: domainConnect !== undefined })
  discovery.start()
  const notifier = new Notifier({ database, secrets, log, metrics, mayReach: reachOf(configuration) })
  notifier.start()
  const scanner = new Scanner({
    ...{ database, log, metrics },
    ...outside,
    nameservers: nameserversOf(platform),
    mayReach: reachOf(configuration),
    port: 53,
  })
  scanner.start()
  const commerce = startCommerce(platform, outside)
  const notices = keyJobs({ secrets, site: configuration.publicUrl })
  const recurring = [
    ...housekeeping,
    ...webhookJobs,
    ...primaryJobs,
    ...doorJobs,
    ...accountJobs,
    ...zoneJobs,
    ...scanJobs,
    ...delegationJobs,
    ...sharingJobs,
    ...recordJobs({ log, secrets, site: configuration.publicUrl }),
    ...erasureJobs(verification),
    ...mailJobs,
    ...orderJobs,
    ...commerce.jobs,
    ...notices,
    ...aliasJobs({ secrets, site: configuration.publicUrl }),
  ]
  const jobs = await startJobs(database, recurring, log, metrics)
  return {
    stop: async () => {
      await Promise.all(
        [webhooks, sweeper, mails, zones, checker, aliases, discovery, notifier, scanner, commerce, jobs].map((part) =>
          part.stop(),
        ),
      )
      await Promise.all([outside.close(), mailServer?.close()])
    },
  }
}

/** Fans out events, and delivers them. */
export function startDelivery(
  { configuration, database, log, metrics, secrets, wake }: Parts,
  { webhookHttp }: Pick<Outside, 'webhookHttp'>,
): Running {
  return startWebhooks({
    ...{ database, wake, log, metrics, secrets },
    http: webhookHttp,
    site: configuration.publicUrl,
  })
}
