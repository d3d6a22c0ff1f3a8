import { createPaystack } from '#adapters/paystack/index.ts'
import type { Auth } from '#modules/accounts/index.ts'
import { kobo, mountBillingRoutes } from '#modules/billing/index.ts'
import { mountContactRoutes } from '#modules/contacts/index.ts'
import {
  DomainWorker,
  domainJobs,
  mountActRoutes,
  mountDomainRoutes,
  takeRegistryNews,
} from '#modules/domains/index.ts'
import { mountOrderRoutes, mountPaymentRoutes, renewByItself, startOrders } from '#modules/orders/index.ts'
import { listPriceOf, mountTldRoutes } from '#modules/tlds/index.ts'
import { giveBoughtZone } from '#modules/zones/index.ts'
import type { HttpServer } from '#platform/http/server.ts'
import type { RecurringJob } from '#platform/jobs.ts'
import type { Platform } from './platform.ts'
import { verificationOf } from './verification.ts'

/** The routes by which domains are sold. */
export function mountCommerceRoutes(
  server: HttpServer,
  { configuration, log, registries, secrets }: Platform,
  codes: Auth['codes'],
): void {
  const tlds = configuration.registries.flatMap((registry) => registry.tlds)
  const payments = createPaystack(configuration.payments)
  const site = configuration.publicUrl
  const nameservers = configuration.nameservers.map(({ name }) => name)
  server.fastify.addHook('onClose', () => payments.close())
  mountTldRoutes(server, { tlds, registries, nameservers })
  mountContactRoutes(server)
  mountDomainRoutes(server, { secrets, site })
  mountActRoutes(server, { tlds, registries, secrets, codes, nameservers, log })
  mountBillingRoutes(server, {
    priceOf: (kind, name, years) => {
      const { tld, price } = listPriceOf(tlds, kind, name, years)
      return { tld, price: kobo(price) }
    },
  })
  mountOrderRoutes(server, { tlds, registries, secrets, nameservers, site })
  mountPaymentRoutes(server, { payments, secrets, site })
}

/** What a worker does about orders and domains: registries and the card gateway are asked, and what they answer is carried out. */
export function startCommerce(platform: Platform): { readonly jobs: readonly RecurringJob[]; stop(): Promise<void> } {
  const { configuration, database, log, metrics, registries, secrets, wake } = platform
  const payments = createPaystack(configuration.payments)
  const zoneParts = verificationOf(platform)
  const orders = startOrders({
    database,
    registries,
    payments,
    secrets,
    log,
    metrics,
    wake,
    giveZone: (tx, actor, accountId, name) => giveBoughtZone(tx, zoneParts, { actor, accountId }, name),
    takeDomainNews: (_, message) => takeRegistryNews({ database }, message),
  })
  const site = configuration.publicUrl
  const domains = new DomainWorker({ database, registries, secrets, log, site })
  wake.on('domains_due', () => domains.wake())
  domains.start()
  const renewal = renewByItself({
    ...{ database, registries, secrets, site },
    tlds: configuration.registries.flatMap((registry) => registry.tlds),
    nameservers: configuration.nameservers.map(({ name }) => name),
  })
  return {
    jobs: domainJobs({ secrets, site, log, renewByItself: renewal }),
    stop: async () => {
      await Promise.all([orders.stop(), domains.stop()])
      await payments.close()
    },
  }
}
