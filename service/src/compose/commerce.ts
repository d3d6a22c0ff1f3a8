import { cardJobs } from '#modules/cards/index.ts'
import { DomainWorker, domainJobs, takeRegistryNews } from '#modules/domains/index.ts'
import { type OrderWork, renewByItself, startOrders } from '#modules/orders/index.ts'
import { giveBoughtZone } from '#modules/zones/index.ts'
import type { RecurringJob } from '#platform/work/jobs.ts'
import type { Outside } from './outside.ts'
import { nameserversOf, type Parts, tldsOf } from './parts.ts'
import { zonePartsOf } from './zone-parts.ts'

/** The dependencies of the work on orders. */
export function orderWorkOf(
  parts: Pick<Parts, 'configuration' | 'database' | 'secrets' | 'log'>,
  { registries }: Pick<Outside, 'registries'>,
): OrderWork & { readonly site: string } {
  const { configuration, database, log, secrets } = parts
  const zones = zonePartsOf(parts)
  return {
    database,
    registries,
    secrets,
    log,
    site: configuration.publicUrl,
    giveZone: (tx, actor, accountId, name) => giveBoughtZone(tx, zones, { actor, accountId }, name),
    takeDomainNews: (_, message) => takeRegistryNews({ database }, message),
  }
}

/** A worker's part in orders and domains: it sends requests to registries and to the card gateway, and applies their answers. */
export function startCommerce(
  parts: Parts,
  outside: Outside,
): { readonly jobs: readonly RecurringJob[]; stop(): Promise<void> } {
  const { configuration, database, log, metrics, secrets, wake } = parts
  const { payments, registries } = outside
  const site = configuration.publicUrl
  const { savedCards } = configuration
  const orders = startOrders({ ...orderWorkOf(parts, outside), payments, metrics, wake })
  const domains = new DomainWorker({ database, registries, secrets, log, site }, orders.isBusy)
  wake.on('domains_due', () => domains.wake())
  domains.start()
  const renewal = renewByItself({
    ...{ database, registries, secrets, site, savedCards },
    tlds: tldsOf(parts),
    nameservers: nameserversOf(parts),
  })
  return {
    jobs: [
      ...domainJobs({ secrets, site, log, renewByItself: renewal }),
      ...cardJobs({ payments, secrets, site, log }),
    ],
    stop: async () => {
      await Promise.all([orders.stop(), domains.stop()])
    },
  }
}
