import { createPaystack } from '#adapters/paystack/index.ts'
import { kobo, mountBillingRoutes } from '#modules/billing/index.ts'
import { mountContactRoutes } from '#modules/contacts/index.ts'
import { mountOrderRoutes, mountPaymentRoutes, startOrders } from '#modules/orders/index.ts'
import { listPriceOf, mountTldRoutes } from '#modules/tlds/index.ts'
import { addBoughtZone } from '#modules/zones/index.ts'
import type { HttpServer } from '#platform/http/server.ts'
import type { Platform } from './platform.ts'
import { verificationOf } from './verification.ts'

/** The routes by which domains are sold. */
export function mountCommerceRoutes(server: HttpServer, { configuration, registries, secrets }: Platform): void {
  const tlds = configuration.registries.flatMap((registry) => registry.tlds)
  const payments = createPaystack(configuration.payments)
  const site = configuration.publicUrl
  const nameservers = configuration.nameservers.map(({ name }) => name)
  server.fastify.addHook('onClose', () => payments.close())
  mountTldRoutes(server, { tlds, registries })
  mountContactRoutes(server)
  mountBillingRoutes(server, {
    priceOf: (kind, name, years) => {
      const { tld, price } = listPriceOf(tlds, kind, name, years)
      return { tld, price: kobo(price) }
    },
  })
  mountOrderRoutes(server, { tlds, registries, secrets, nameservers, site })
  mountPaymentRoutes(server, { payments, secrets, site })
}

/** What a worker does about orders: registries and the card gateway are asked, and what they answer is carried out. */
export function startCommerce(platform: Platform): { stop(): Promise<void> } {
  const { configuration, database, log, registries, secrets, wake } = platform
  const payments = createPaystack(configuration.payments)
  const zoneParts = verificationOf(platform)
  const orders = startOrders({
    database,
    registries,
    payments,
    secrets,
    log,
    wake,
    giveZone: async (tx, actor, accountId, name) => (await addBoughtZone(tx, zoneParts, { actor, accountId }, name)).id,
  })
  return {
    stop: async () => {
      await orders.stop()
      await payments.close()
    },
  }
}
